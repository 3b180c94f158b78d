#!/usr/bin/env python3
"""fbx_looks.py TINTYPE MODELS OUT: draws the materials of fbx_looks.txt from FBX and from the glTF that Blender makes of the same file.

Needs a Python with bpy, numpy and Pillow. The mean colour of each quarter of both pictures has to agree within 8 codes. OUT gets the pictures, a sheet
of them (FBX left, glTF right) and the models. Exit code 1 if one differs."""
import os, re, subprocess, sys
import bpy, numpy as np
from PIL import Image, ImageDraw

LIST, NEAR, SIZE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fbx_looks.txt"), 8.0, 160
SCENE = """[output]
size = [%d, %d]
samples = 4
frames = "0"
background = "#404040"
[camera]
kind = "orbit"
azimuth_deg = 30
elevation_deg = 20
[[model]]
name = "m"
file = "%s"
up = "y"
front = "z"
[[instance]]
model = "m"
clip = "%s"
"""
TEXTURE = np.zeros((64, 64, 3), np.uint8)
TEXTURE[:32, :32], TEXTURE[:32, 32:], TEXTURE[32:, :32], TEXTURE[32:, 32:] = (200, 40, 40), (40, 160, 60), (50, 60, 190), (210, 190, 60)


def written(name, words, out):
    """Writes a ball and a board with a material of these values as FBX."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    values = {word.split()[0]: [float(x) for x in word.split()[1:]] for word in words.split(", ")}
    bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, location=(0, 0, 1))
    bpy.ops.object.shade_smooth()
    ball = bpy.context.object
    bpy.ops.mesh.primitive_plane_add(size=3, location=(0, 0, -0.2))
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    inputs = {"metal": "Metallic", "rough": "Roughness", "specular": "Specular IOR Level", "alpha": "Alpha"}
    for word, numbers in values.items():
        if word in inputs:
            shader.inputs[inputs[word]].default_value = numbers[0]
        elif word == "color":
            shader.inputs["Base Color"].default_value = (*numbers, 1)
        elif word == "glow":
            shader.inputs["Emission Color"].default_value = (*numbers[:3], 1)
            shader.inputs["Emission Strength"].default_value = numbers[3]
        else:
            path = os.path.join(out, "tile.png")
            Image.fromarray(TEXTURE).save(path)
            image = tree.nodes.new("ShaderNodeTexImage")
            image.image = bpy.data.images.load(path)
            mapping = tree.nodes.new("ShaderNodeMapping")
            mapping.vector_type = "TEXTURE"
            mapping.inputs["Scale"].default_value = (1 / numbers[0], 1 / numbers[1], 1)
            tree.links.new(tree.nodes.new("ShaderNodeTexCoord").outputs["UV"], mapping.inputs["Vector"])
            tree.links.new(mapping.outputs["Vector"], image.inputs["Vector"])
            tree.links.new(image.outputs["Color"], shader.inputs["Base Color"])
    if values.get("alpha", [1])[0] < 1:
        material.surface_render_method = "BLENDED"
    for thing in (ball, bpy.context.object):
        thing.data.materials.append(material)
    path = os.path.join(out, name + ".fbx")
    bpy.ops.export_scene.fbx(filepath=path)
    return path


def through_blender(path, is_written, out):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    # Of the two importers the older one reads all that the exporter writes.
    (bpy.ops.import_scene.fbx if is_written else bpy.ops.wm.fbx_import)(filepath=path)
    # Pictures by their names, as they are found here: their paths are those of another machine.
    path = os.path.abspath(path)
    beside = {file.lower(): os.path.join(at, file) for at, _, files in os.walk(os.path.dirname(path)) for file in files}
    for image in list(bpy.data.images):
        found = beside.get(re.split(r"[/\\\\]", image.filepath)[-1].lower())
        if found and not image.packed_file and not os.path.exists(image.filepath):
            image.user_remap(bpy.data.images.load(found))
    bpy.ops.export_scene.gltf(filepath=out, export_format="GLB", export_animations=False)


def drawn(program, model, out, clip):
    scene = out + ".toml"
    with open(scene, "w") as file:
        file.write(SCENE % (SIZE, SIZE, os.path.abspath(model), clip))
    run = subprocess.run([program, "render", scene, "-o", out + ".####.png", "--no-config", "--overwrite"], capture_output=True, text=True)
    path = out + ".0000.png"
    if run.returncode:
        raise RuntimeError(run.stderr.strip().split("\n")[-1])
    return Image.open(path).convert("RGB")


def main():
    program, models, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    lines = [line.strip() for line in open(LIST) if line.strip() and not line.startswith("#")]
    bad, other, sheet = 0, 0, Image.new("RGB", (8 * (SIZE + 2), -(-len(lines) // 4) * (SIZE + 14)))
    for index, line in enumerate(lines):
        line, _, reason = (part.strip() for part in line.partition("!"))
        name, _, words = (part.strip() for part in line.partition("="))
        stem = os.path.join(out, re.sub(r"\W+", "_", name))
        try:
            path = written(name, words, out) if words else os.path.join(models, name)
            through_blender(path, bool(words), stem + ".glb")
            pair = [drawn(program, path, stem + "_fbx", "bind"), drawn(program, stem + ".glb", stem + "_gltf", "bind")]
        except RuntimeError as error:
            bad += 1
            print(f"FAIL {name}: {str(error)[:200]}")
            continue
        far, half = 0.0, SIZE // 2
        for y in (0, half):
            for x in (0, half):
                means = [np.asarray(one, float)[y:y + half, x:x + half].mean((0, 1)) for one in pair]
                far = max(far, abs(means[0] - means[1]).max())
        word = "ok  " if far <= NEAR else "but " if reason else "FAIL"
        bad += word == "FAIL"
        other += word == "but "
        print(f"{word} {name}: {far:.1f} codes{'; ' + reason if word == 'but ' else ''}")
        at = (index % 4 * 2 * (SIZE + 2), index // 4 * (SIZE + 14))
        for place, one in enumerate(pair):
            sheet.paste(one, (at[0] + place * SIZE, at[1]))
        ImageDraw.Draw(sheet).text((at[0] + 2, at[1] + SIZE + 1), f"{name[-30:]} {far:.1f}", fill="white" if far <= NEAR else "red")
    sheet.save(os.path.join(out, "sheet.png"))
    print(f"{len(lines) - bad - other} of {len(lines)} materials agree within {NEAR:.0f} codes, {other} differ for a reason")
    sys.exit(1 if bad else 0)


main()
