"""A body of 6,890 vertices and 24 joints in arrays, with pose blend shapes: the counts of SMPL, in a shape of its own."""

import numpy as np

import tintype

# Joints as SMPL orders them: name, place at rest in metres, parent.
JOINTS = [
    ("pelvis", (0, 0.93, 0), -1), ("left_hip", (0.10, 0.88, 0), 0), ("right_hip", (-0.10, 0.88, 0), 0),
    ("spine1", (0, 1.05, 0), 0), ("left_knee", (0.11, 0.49, 0.01), 1), ("right_knee", (-0.11, 0.49, 0.01), 2),
    ("spine2", (0, 1.18, 0), 3), ("left_ankle", (0.12, 0.10, -0.02), 4), ("right_ankle", (-0.12, 0.10, -0.02), 5),
    ("spine3", (0, 1.28, 0), 6), ("left_foot", (0.12, 0.04, 0.10), 7), ("right_foot", (-0.12, 0.04, 0.10), 8),
    ("neck", (0, 1.49, 0), 9), ("left_collar", (0.07, 1.42, 0), 9), ("right_collar", (-0.07, 1.42, 0), 9),
    ("head", (0, 1.58, 0.01), 12), ("left_shoulder", (0.18, 1.41, 0), 13), ("right_shoulder", (-0.18, 1.41, 0), 14),
    ("left_elbow", (0.44, 1.40, -0.01), 16), ("right_elbow", (-0.44, 1.40, -0.01), 17),
    ("left_wrist", (0.68, 1.39, 0), 18), ("right_wrist", (-0.68, 1.39, 0), 19),
    ("left_hand", (0.77, 1.38, 0), 20), ("right_hand", (-0.77, 1.38, 0), 21),
]  # fmt: skip
NAMES = [name for name, _, _ in JOINTS]
PLACES = np.array([place for _, place, _ in JOINTS])
PARENTS = [parent for _, _, parent in JOINTS]
# Parts as tubes: rings, vertices of a ring, and the middle line as x, y, z with half a width and half a depth.
TORSO = (86, 32, [(0, 0.78, 0, 0.05, 0.05), (0, 0.84, 0, 0.14, 0.10), (0, 0.92, 0, 0.172, 0.12), (0, 1.08, 0, 0.135, 0.10), (0, 1.28, 0, 0.17, 0.12),
                  (0, 1.40, 0, 0.165, 0.10), (0, 1.46, 0, 0.09, 0.07), (0, 1.49, 0, 0.052, 0.055), (0, 1.55, 0.01, 0.055, 0.06), (0, 1.60, 0.02, 0.075, 0.095),
                  (0, 1.70, 0.01, 0.085, 0.105), (0, 1.78, 0.005, 0.07, 0.09), (0, 1.805, 0, 0.035, 0.045)])  # fmt: skip
ARM = (44, 20, [(0.10, 1.41, 0, 0.03, 0.03), (0.14, 1.41, 0, 0.055, 0.05), (0.20, 1.41, 0, 0.065, 0.06), (0.32, 1.405, 0, 0.05, 0.05), (0.44, 1.40, -0.01, 0.042, 0.04),
                (0.52, 1.395, 0, 0.045, 0.042), (0.68, 1.39, 0, 0.027, 0.03), (0.76, 1.385, 0, 0.022, 0.045), (0.86, 1.38, 0, 0.012, 0.02)])  # fmt: skip
LEG = (74, 16, [(0.09, 0.93, 0, 0.03, 0.04), (0.095, 0.88, 0, 0.08, 0.09), (0.10, 0.76, 0, 0.088, 0.095), (0.11, 0.49, 0.01, 0.055, 0.06), (0.115, 0.36, -0.01, 0.055, 0.06),
                (0.12, 0.12, -0.02, 0.036, 0.04), (0.12, 0.055, 0.0, 0.042, 0.05), (0.12, 0.035, 0.08, 0.045, 0.035), (0.12, 0.025, 0.17, 0.03, 0.02)])  # fmt: skip
# Bends that fill a muscle: joint, axis of the turn, place, direction of the swelling.
BULGES = [("left_elbow", 1, (0.32, 1.40, 0.04), (0, 0, 1)), ("right_elbow", 1, (-0.32, 1.40, 0.04), (0, 0, 1)),
          ("left_knee", 0, (0.115, 0.34, -0.06), (0, 0, -1)), ("right_knee", 0, (-0.115, 0.34, -0.06), (0, 0, -1))]  # fmt: skip


def tube(rings, around, line, side=1):
    """Vertices and triangles of a closed tube about a line; the first and the last vertex close it."""
    line = np.array(line, float) * [side, 1, 1, 1, 1]
    at = np.append(0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1)))
    along = np.stack([np.interp(np.linspace(0, at[-1], rings), at, column) for column in line.T], 1)
    for _ in range(3):  # kinks of the line are rounded
        along[1:-1] = (along[:-2] + 2 * along[1:-1] + along[2:]) / 4
    middle, radii = along[:, :3], along[:, 3:]
    step = np.gradient(middle, axis=0)
    step /= np.linalg.norm(step, axis=1, keepdims=True)
    wide = np.where(np.abs(step[:, :1]) > 0.7, [[0.0, 1, 0]], [[1.0, 0, 0]])
    wide = wide - (wide * step).sum(1, keepdims=True) * step
    wide /= np.linalg.norm(wide, axis=1, keepdims=True)
    deep = np.cross(step, wide)
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)
    circle = np.cos(turn)[:, None] * (wide * radii[:, :1])[:, None] + np.sin(turn)[:, None] * (deep * radii[:, 1:])[:, None]
    ends = middle[[0, -1]] + step[[0, -1]] * radii[[0, -1]].min(1, keepdims=True) * [[-0.6], [0.6]]
    points = np.vstack([ends[:1], (middle[:, None] + circle).reshape(-1, 3), ends[1:]])
    ring = np.arange(around)
    first, last = 1 + ring, 1 + (rings - 1) * around + ring
    low = (1 + around * np.arange(rings - 1))[:, None]
    a, b = (low + ring).ravel(), (low + (ring + 1) % around).ravel()
    faces = [np.stack([a, b, b + around], 1), np.stack([a, b + around, a + around], 1)]
    faces += [np.stack([np.zeros(around, int), np.roll(first, -1), first], 1)]
    faces += [np.stack([np.full(around, len(points) - 1), last, np.roll(last, -1)], 1)]
    return points, np.vstack(faces)


class Body:
    """`positions` [6890, 3], `triangles`, `weights` [6890, 24], and `shapes` [207, 6890, 3]: how each number of the turns of the 23 joints
    below the pelvis, as matrices less the identity, moves the vertices."""

    def __init__(self):
        parts = [(TORSO, 1, [0, 3, 6, 9, 12, 15])]
        parts += [(ARM, side, [13 + k, 16 + k, 18 + k, 20 + k, 22 + k]) for k, side in enumerate((1, -1))]
        parts += [(LEG, side, [1 + k, 4 + k, 7 + k, 10 + k]) for k, side in enumerate((1, -1))]
        points, faces, weights = [], [], []
        for (rings, around, line), side, joints in parts:
            own, corners = tube(rings, around, line, side)
            faces.append(corners + sum(map(len, points)))
            points.append(own)
            weights.append(self.weights_of(own, joints))
        self.positions = np.vstack(points).astype(np.float32)
        self.triangles = np.vstack(faces)
        self.weights = np.vstack(weights)
        self.shapes = np.zeros((9 * (len(JOINTS) - 1), len(self.positions), 3), np.float32)
        for name, axis, place, direction in BULGES:
            near = np.exp(-(((self.positions - place) / 0.05) ** 2).sum(1))
            # The cosine of a bend stands in the matrix beside its axis, twice; less the identity it is below 0.
            for other in {0, 1, 2} - {axis}:
                row = 9 * (NAMES.index(name) - 1) + 4 * other
                self.shapes[row] += -0.008 * near[:, None] * np.array(direction)

    @staticmethod
    def weights_of(points, joints):
        """Weights of the joints of a part: each holds the stretch to the next, and the bend between is soft."""
        line = np.array([PLACES[joint] for joint in joints])
        axis = line[-1] - line[0]
        along = (line @ axis)[1:]
        soft = 0.04 * np.linalg.norm(axis)
        passed = 1 / (1 + np.exp(-((points @ axis)[:, None] - along) / soft))
        passed = np.hstack([np.ones((len(points), 1)), passed, np.zeros((len(points), 1))])
        weights = np.zeros((len(points), len(JOINTS)))
        weights[:, joints] = -np.diff(passed, axis=1)
        return np.maximum(weights, 0) / np.maximum(weights, 0).sum(1, keepdims=True)

    def model(self, color=(0.85, 0.66, 0.55)):
        """The body as a model of tintype."""
        return tintype.Model.from_arrays(self.positions, self.triangles, weights=self.weights, color=color)

    def poses(self, rotations):
        """Matrices `[..., 24, 4, 4]` of rotations `[..., 24, 3]`, for `poses` of a frame."""
        return tintype.axis_angle(rotations, PLACES, PARENTS)

    def vertices(self, rotations):
        """Vertices of rotations `[24, 3]` with their blend shapes, for `vertices` of a frame."""
        still = np.zeros_like(PLACES)
        turns = tintype.axis_angle(rotations, still, [-1] * len(JOINTS))[1:, :3, :3]
        swollen = self.positions + np.tensordot((turns - np.eye(3)).ravel(), self.shapes, 1)
        matrices = np.tensordot(self.weights, self.poses(rotations), 1)
        return np.einsum("nij,nj->ni", matrices[:, :3, :3], swollen) + matrices[:, :3, 3]


def walk(moment):
    """Rotations of a step, at a moment from 0 to 1."""
    swing = np.sin(2 * np.pi * moment)
    turns = {
        "left_hip": (-0.5 * swing, 0, 0), "right_hip": (0.5 * swing, 0, 0),
        "left_knee": (0.5 + 0.4 * swing, 0, 0), "right_knee": (0.5 - 0.4 * swing, 0, 0),
        "left_shoulder": (0.4 * swing, 0, -1.2), "right_shoulder": (-0.4 * swing, 0, 1.2),
        "left_elbow": (0, -0.7, 0), "right_elbow": (0, 0.7, 0), "spine2": (0.05, 0.15 * swing, 0),
    }  # fmt: skip
    return np.array([turns.get(name, (0, 0, 0)) for name in NAMES], float)
