#!/usr/bin/env python3
"""fbx_variants.py BIN REFERENCE COUNT [SEED]: random files made of tests/fuzz/seeds/strip.fbx, posed by BIN and by REFERENCE.

Each file draws its own transforms (pivots, offsets, pre- and post-rotation, orders, inherit types, negative and uneven scale, geometric transforms), settings
(axes, also left-handed, and units), skinning, curves (all interpolations, tangents, weights, extrapolations) and layers. Both programs are called as
`PROGRAM pose FILE [--clip NAME --time S] -o OUT.obj`; REFERENCE answers in centimetres. Vertices have to agree within 1e-4 of the size, without any turn.

Left out, as the reference reads them otherwise: muted layers, which it draws; layers that move one property of a model but not the others, where it takes those
of the next model; dual quaternions together with scale, whose rotations it does not bring to length 1 under a shear.
Files that differ stay in the folder that is told. Needs numpy and scipy.
"""
import os, random, re, struct, subprocess, sys, tempfile
import numpy as np
from scipy.spatial import cKDTree

TICKS = 46186158000
STRIP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tests/fuzz/seeds/strip.fbx')
MOMENTS = [(None, 0.0), ('sway', 0.13), ('sway', 0.5), ('sway', 0.9)]
TRANSFORM = (('Lcl Translation', -2, 2), ('Lcl Rotation', -200, 200), ('Lcl Scaling', 0.3, 2))
AUTO, TCB, USER, BROKEN = 0x100, 0x200, 0x400, 0x800
TANGENTS = [AUTO, USER, USER | BROKEN, TCB, AUTO | BROKEN, AUTO | 0x1000, AUTO | 0x2000, AUTO | 0x4000]


def bits(number):
    return str(struct.unpack('<i', struct.pack('<f', number))[0])


class Variant:
    """One file: the text of the strip with random parts."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.objects, self.connections, self.next = '', '', 100
        self.is_dual = self.dice.random() < 0.15
        text = open(STRIP, encoding='utf-8').read()
        text = self.settings(self.models(self.skin(text)))
        if self.dice.random() < 0.7:
            text = self.animate(text)
        text = text.replace('}\nConnections:', self.objects + '}\nConnections:')
        end = text.rindex('}')
        self.text = text[:end] + self.connections + text[end:]

    def chance(self, share=0.4):
        return self.dice.random() < share

    def number(self):
        self.next += 1
        return self.next

    def three(self, low, high):
        return ','.join(f'{self.dice.uniform(low, high):.4f}' for _ in range(3))

    def properties(self, number):
        found = ['P: "RotationActive", "bool", "", "",%d' % self.chance(0.8)]

        def vector(name, low, high, share=0.4):
            if self.chance(share):
                found.append(f'P: "{name}", "Vector3D", "Vector", "",{self.three(low, high)}')
        for name in ('PreRotation', 'PostRotation'):
            vector(name, -180, 180)
        for name in ('RotationPivot', 'ScalingPivot', 'RotationOffset', 'ScalingOffset'):
            vector(name, -1, 1)
        if number == 20 and self.chance():
            vector('GeometricTranslation', -1, 1, 1)
            vector('GeometricRotation', -180, 180, 1)
            vector('GeometricScaling', 0.4, 2, 1)
        if self.chance():
            found.append(f'P: "RotationOrder", "enum", "", "",{self.dice.randint(0, 5)}')
        if self.chance(0.05):
            found.append('P: "RotationSpaceForLimitOnly", "bool", "", "",1')
        found.append(f'P: "InheritType", "enum", "", "",{self.dice.randint(0, 2) if self.chance() else 1}')
        vector('Lcl Translation', -2, 2, 0.8)
        vector('Lcl Rotation', -180, 180, 0.8)
        if self.chance() and not self.is_dual:
            low, high = self.dice.choice([(0.3, 2.5), (0.3, 2.5), (-2, -0.3)])
            scale = self.three(low, high) if self.chance(0.6) else ','.join([f'{self.dice.uniform(low, high):.3f}'] * 3)
            found.append(f'P: "Lcl Scaling", "Lcl Scaling", "", "A",{scale}')
        return 'Properties70:  {\n' + '\n'.join(found) + '\n}\n'

    def models(self, text):
        self.nodes = [20, 21, 22]
        text = text.replace('Model: 20, "Model::strip", "Mesh" {\n', 'Model: 20, "Model::strip", "Mesh" {\n' + self.properties(20))
        for number, name in ((21, 'root'), (22, 'tip')):
            own = self.properties(number)
            text = re.sub(r'(Model: %d, "Model::%s", "LimbNode" \{\n)\t\tProperties70:  \{.*?\n\t\t\}\n' % (number, name), lambda found: found[1] + own, text, flags=re.S)
        if self.chance():
            self.nodes.append(23)
            middle = f'Model: 23, "Model::middle", "{self.dice.choice(["LimbNode", "Null"])}" {{\n{self.properties(23)}}}\n'
            text = text.replace('\tMaterial: 30,', middle + '\tMaterial: 30,').replace('C: "OO",22,21\n', 'C: "OO",23,21\nC: "OO",22,23\n')
        if self.chance():
            text = text.replace('C: "OO",20,0', 'C: "OO",20,%d' % self.dice.choice([21, 22]))
        return text

    def settings(self, text):
        if self.chance():
            unit = self.dice.choice(['1', '2.54', '30.48', '0.1', '500'])
            text = text.replace('"UnitScaleFactor", "double", "Number", "",100', f'"UnitScaleFactor", "double", "Number", "",{unit}')
        if self.chance():
            for name, old, new in zip(('Up', 'Front', 'Coord'), (1, 2, 0), self.dice.sample([0, 1, 2], 3)):
                sign = f'P: "{name}AxisSign", "int", "Integer", "",{self.dice.choice([1, -1])}'
                text = text.replace(f'P: "{name}Axis", "int", "Integer", "",{old}', f'P: "{name}Axis", "int", "Integer", "",{new}\n{sign}')
        return text

    def skin(self, text):
        if self.chance(0.2) and not self.is_dual:
            return text.replace('C: "OO",40,10\n', '')
        kind = self.dice.choice(['DualQuaternion', 'Blend']) if self.is_dual else self.dice.choice(['Rigid', 'Linear'])
        shares = 'Indexes: *2 {\na: 2,4\n}\nBlendWeights: *2 {\na: 0.25,0.8\n}\n' if kind == 'Blend' else ''
        text = text.replace('"Deformer::skin", "Skin" {\n', f'"Deformer::skin", "Skin" {{\nSkinningType: "{kind}"\n{shares}')
        if self.chance():
            text = text.replace('a: 1,1,0.5,0.5', 'a: 0.8,1.5,0.5,0.2').replace('a: 0.5,0.5,1,1', 'a: 0.9,0.1,0.6,2')
        return text

    def key(self, low, high):
        """Flags and the four numbers of a key, as the bits that text files hold."""
        flags = self.dice.choice([0x2, 0x2 | AUTO, 0x4, 0x8, 0x8, 0x8])
        data, weights = [0.0] * 4, 0
        if flags == 0x8:
            tangent = self.dice.choice(TANGENTS)
            flags |= tangent
            reach = 60 if tangent != TCB else 1
            data[:3] = [self.dice.uniform(-reach, reach) * ((high - low) / 90 if tangent != TCB else 1) for _ in range(3)]
            if self.chance(0.3) and tangent != TCB:
                flags |= self.dice.choice([0x1000000, 0x2000000, 0x3000000])
                weights = struct.unpack('<i', struct.pack('<HH', self.dice.randint(0, 9999), self.dice.randint(0, 9999)))[0]
        words = [bits(number) for number in data]
        if flags & TCB == 0 or flags & 0x8 == 0:
            words[2] = str(weights)
        return flags, words

    def curve(self, low, high):
        number, count = self.number(), self.dice.randint(1, 5)
        # Never at a moment that is asked for, where a jump has two sides.
        times = sorted(self.dice.sample(range(200), count))
        keys = [self.key(low, high) for _ in times]

        def array(name, values):
            values = list(values)
            return f'{name}: *{len(values)} {{\na: {",".join(map(str, values))}\n}}\n'
        beyond = ''
        for end in ('Pre', 'Post'):
            if self.chance(0.25):
                beyond += f'{end}-Extrapolation:  {{\nType: {ord(self.dice.choice("RMKA"))}\nRepetition: {self.dice.choice([-1, 1, 2])}\n}}\n'
        self.objects += (
            f'AnimationCurve: {number}, "AnimCurve::", "" {{\nDefault: 0\nKeyVer: 4008\n'
            + array('KeyTime', (TICKS * (1000 * time + 317) // 100000 for time in times))
            + array('KeyValueFloat', (f'{self.dice.uniform(low, high):.4f}' for _ in times))
            + array('KeyAttrFlags', (flags for flags, _ in keys))
            + array('KeyAttrDataFloat', (word for _, words in keys for word in words))
            + array('KeyAttrRefCount', (1 for _ in times)) + beyond + '}\n')
        return number

    def moves(self, layer, model, name, low, high):
        node = self.number()
        usual = '\n'.join(f'P: "d|{axis}", "Number", "", "A",{self.dice.uniform(low, high):.4f}' for axis in 'XYZ')
        self.objects += f'AnimationCurveNode: {node}, "AnimCurveNode::x", "" {{\nProperties70:  {{\n{usual}\n}}\n}}\n'
        self.connections += f'C: "OO",{node},{layer}\nC: "OP",{node},{model}, "{name}"\n'
        for axis in 'XYZ':
            if self.chance(0.75):
                self.connections += f'C: "OP",{self.curve(low, high)},{node}, "d|{axis}"\n'

    def animate(self, text):
        for line in ('C: "OO",52,51\n', 'C: "OP",52,22, "Lcl Rotation"\n', 'C: "OP",53,52, "d|Z"\n'):
            text = text.replace(line, '')
        has_layers = self.chance()
        properties = TRANSFORM[:2] if self.is_dual else TRANSFORM
        for model in self.nodes:
            moved = properties if has_layers else [one for one in properties if self.chance(0.5)]
            for name, low, high in moved:
                self.moves(51, model, name, low, high)
        for _ in range(self.dice.randint(1, 2) if has_layers and not self.is_dual else 0):
            layer = self.number()
            values = {'Weight': [100, 0, 50, 30], 'BlendMode': [0, 1, 2], 'RotationAccumulationMode': [0, 1], 'ScaleAccumulationMode': [0, 1]}
            own = '\n'.join(f'P: "{name}", "enum", "", "A",{self.dice.choice(all)}' for name, all in values.items())
            self.objects += f'AnimationLayer: {layer}, "AnimLayer::own", "" {{\nProperties70:  {{\n{own}\n}}\n}}\n'
            self.connections += f'C: "OO",{layer},50\n'
            for model in self.nodes:
                if self.chance(0.5):
                    for name, low, high in properties:
                        # The way to a share of more than half a turn has two sides.
                        share = 0.3 if name == 'Lcl Rotation' else 1
                        self.moves(layer, model, name, low * share, high * share)
        return text


def posed(program, file, clip, time_s, scale):
    out = file + '.obj'
    moment = ['--clip', clip, '--time', str(time_s)] if clip else []
    ended = subprocess.run([program, 'pose', file, *moment, '-o', out], capture_output=True, text=True)
    if ended.returncode:
        return ended.stderr.strip()
    lines = open(out, encoding='utf-8').read().splitlines()
    os.remove(out)
    return np.array([[float(word) for word in line.split()[1:4]] for line in lines if line.startswith('v ')]) * scale


def differs(program, reference, file):
    for clip, time_s in MOMENTS:
        found, wanted = posed(program, file, clip, time_s, 1.0), posed(reference, file, clip, time_s, 0.01)
        for who, places in (('the program', found), ('the reference', wanted)):
            if isinstance(places, str):
                return f'{who}: {places}'
        size = max(np.linalg.norm(np.ptp(wanted, axis=0)), np.abs(wanted).max(), 1e-6)
        far = max(cKDTree(wanted).query(found)[0].max(), cKDTree(found).query(wanted)[0].max()) / size
        if not far <= 1e-4:
            return f'{clip or "at rest"}, {time_s} s: {far:.3g} of the size'
    return None


def main():
    program, reference, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    folder, bad = tempfile.mkdtemp(), 0
    for index in range(count):
        file = f'{folder}/{index}.fbx'
        with open(file, 'w', encoding='utf-8') as out:
            out.write(Variant(seed * 1_000_003 + index).text)
        why = differs(program, reference, file)
        if why is None:
            os.remove(file)
        else:
            bad += 1
            print(f'{file}: {why}')
    print(f'{count - bad} of {count} random files agree at {len(MOMENTS)} moments each')
    sys.exit(0 if bad == 0 else 1)


main()
