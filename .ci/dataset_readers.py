"""Reads a data set as its readers do: pycocotools and numpy. python3 .ci/dataset_readers.py FOLDER [PICTURE]

The second argument names a picture of all samples with joints and boxes over them, for which Pillow is needed.
"""

import json
import sys
from pathlib import Path

import numpy as np
from pycocotools.coco import COCO

folder = Path(sys.argv[1])
coco = COCO(folder / "annotations.json")
frames = {one["file_path"]: one for one in json.loads((folder / "transforms.json").read_text())["frames"]}
index = [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]
assert len(index) == len(coco.imgs) == len(coco.anns) == len(frames)
tiles = []
for image in coco.loadImgs(coco.getImgIds()):
    (label,) = coco.loadAnns(coco.getAnnIds(imgIds=image["id"]))
    (category,) = coco.loadCats(label["category_id"])
    mask = coco.annToMask(label)
    assert mask.shape == (image["height"], image["width"]) and mask.sum() == label["area"]
    (rows, columns), (x, y, w, h) = np.nonzero(mask), label["bbox"]
    assert [columns.min(), rows.min()] == [x, y], label["bbox"]
    assert [columns.max() + 1, rows.max() + 1] == [x + w, y + h], label["bbox"]
    points = np.array(label["keypoints"]).reshape(-1, 3)
    assert len(points) == len(category["keypoints"])
    assert (points[:, 2] > 0).sum() == label["num_keypoints"]
    channels = folder / next(iter(index[image["id"]]["files"]))
    view = frames[image["file_name"]]
    pose = np.array(view["transform_matrix"])
    assert np.allclose(pose[:3, :3] @ pose[:3, :3].T, np.eye(3), atol=1e-5)
    if channels.suffix == ".npz":
        arrays = np.load(channels)
        if "instance" in arrays:
            assert ((arrays["instance"] > 0) == mask).all()
    if len(sys.argv) > 2:
        from PIL import Image, ImageDraw

        tile = Image.open(folder / image["file_name"]).convert("RGB")
        draw = ImageDraw.Draw(tile)
        draw.rectangle([x, y, x + w - 1, y + h - 1], outline=(255, 255, 0))
        for a, b in category["skeleton"]:
            (ax, ay, av), (bx, by, bv) = points[a - 1], points[b - 1]
            if av and bv:
                draw.line([ax, ay, bx, by], fill=(90, 200, 255))
        for px, py, v in points[points[:, 2] > 0]:
            draw.ellipse([px - 2, py - 2, px + 2, py + 2], fill=(0, 255, 0) if v == 2 else (255, 0, 0))
        tiles.append(tile)
if tiles:
    w, h, n = *tiles[0].size, 6
    sheet = Image.new("RGB", (w * n, h * -(-len(tiles) // n)))
    [sheet.paste(tile, (k % n * w, k // n * h)) for k, tile in enumerate(tiles)]
    sheet.save(sys.argv[2])
print(f"{len(index)} samples, {len(coco.cats)} categories: read by pycocotools")
