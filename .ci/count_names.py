"""Counts the source files that name a setting outside of the crates where it acts: at most eight, generated ones among them.

Tests and pages do not count, nor does another sense of the word, which is listed here with its reason.
"""

import pathlib
import re
import subprocess
import sys

MOST = 8
SOURCES = ('.rs', '.js', '.mjs', '.ts', '.py', '.pyi', '.json', '.css')
# Where the settings act, and what is made with them.
APART = ('crates/raster/', 'crates/render/', 'tests/', 'golden/', 'scenes/', 'examples/', 'bindings/npm/test/', 'bindings/python/tests/', 'tools/generate_content/', '.ci/')
# Lines in which the word means something else: the file, a pattern of the line, the reason.
OTHER_SENSES = {
    'anisotropy': [
        ('crates/formats/src/gltf/extension.rs', 'anisotropy', 'KHR_materials_anisotropy, an extension of glTF'),
        ('crates/formats/src/gltf/convert/material.rs', 'anisotropy', 'KHR_materials_anisotropy, an extension of glTF'),
        ('crates/formats/src/gltf/tests/extensions.rs', 'anisotropy', 'KHR_materials_anisotropy, an extension of glTF'),
        ('crates/model/src/material.rs', 'anisotropy', 'the direction in which a surface is brushed'),
        ('crates/model/src/lib.rs', 'anisotropy', 'the direction in which a surface is brushed'),
        ('crates/model/src/file_parts.rs', 'anisotropy', 'the direction in which a surface is brushed'),
        ('crates/model/src/property.rs', 'anisotropy', 'the direction in which a surface is brushed'),
        ('crates/formats/src/gltf/convert/property.rs', 'anisotropy', 'KHR_materials_anisotropy, an extension of glTF'),
        ('crates/formats/src/gltf/tests/faults.rs', 'anisotropy', 'KHR_materials_anisotropy, an extension of glTF'),
        ('crates/compare/src/surface.rs', 'anisotropy', 'the direction in which a surface is brushed'),
        ('crates/scene/src/digest.rs', 'transmission, anisotropy', 'the direction in which a surface is brushed'),
    ],
    'background': [
        ('.css', 'background', 'a property of CSS'),
        ('crates/farm/src/page.rs', 'background:#', 'a property of CSS'),
        ('bindings/npm/viewer.js', 'background: #', 'a property of CSS'),
        ('tools/render_fidelity.py', 'background = "transparent"', 'a line of a scene'),
        ('crates/formats/src/gltf/extension.rs', '"background"', 'a word in names of extensions of glTF'),
        ('crates/formats/src/mtr/material.rs', 'the background', 'what is behind a blended surface'),
        ('crates/model/src/material.rs', 'the background', 'what is behind a blended surface'),
        ('crates/inspect/src/record.rs', 'Blending with the background', 'what is behind a blended surface'),
        ('crates/inspect/src/inspect.schema.json', 'Blending with the background', 'what is behind a blended surface'),
        ('crates/scene/src/tables.schema.json', 'to the background', 'what is behind a blended surface'),
        ('crates/output/src/gif.rs', 'DisposalMethod::Background', 'a term of GIF'),
        ('crates/output/src/webp.rs', 'clear background', 'a term of WebP'),
        ('crates/cli/src/signals.rs', 'background of a script', 'a process of a shell'),
        ('crates/compare/src/mask.rs', 'background', 'the pixels of a picture that show no model'),
        ('crates/golden/src/check.rs', 'background', 'the pixels of a picture that show no model'),
        ('crates/golden/src/golden_renderer.rs', 'the background', 'the pixels of a picture that show no model'),
    ],
}


def files_of(word):
    """The files in which the word has the sense of the setting."""
    names = subprocess.run(['git', 'ls-files'], capture_output=True, text=True, check=True).stdout.split('\n')
    for name in names:
        if not name.endswith(SOURCES) or name.startswith(APART):
            continue
        text = pathlib.Path(name).read_text(encoding='utf-8', errors='replace')
        # Tests of a file stand at its end; those of a module in a file of their own.
        text = re.split(r'\n#\[cfg\(test\)\]\nmod tests \{', text)[0] if name.endswith('.rs') else text
        if name.endswith('/tests.rs'):
            continue
        senses = [pattern for file, pattern, _ in OTHER_SENSES[word] if name == file or (file.startswith('.') and name.endswith(file))]
        lines = [line for line in text.split('\n') if word in line.lower()]
        if any(not any(pattern.lower() in line.lower() for pattern in senses) for line in lines):
            yield name


failed = False
for word in OTHER_SENSES:
    files = list(files_of(word))
    failed |= len(files) > MOST
    print(f'{word}: {len(files)} files: {", ".join(files)}')
sys.exit(failed)
