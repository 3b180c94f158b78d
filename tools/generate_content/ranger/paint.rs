//! The ranger's paint: cloth, leather, brass and a glazed mask.

use super::body::{EYE, region};
use crate::bake::{Coat, Spot};
use crate::noise::{cells, fractal, value};
use crate::picture::solid;
use crate::scalar::{Rgb, band, hold, max, mix, mix_rgb, ramp, scale_rgb, wave};
use glam::DVec3;

const TEAL: Rgb = [0.145, 0.345, 0.335];
const OCHRE: Rgb = [0.86, 0.64, 0.27];
const RUST: Rgb = [0.66, 0.30, 0.17];
const CREAM: Rgb = [0.93, 0.88, 0.77];
const FACE: Rgb = [0.94, 0.80, 0.66];
const ROSE: Rgb = [0.86, 0.47, 0.38];
const RED: Rgb = [0.76, 0.19, 0.12];
const SLATE: Rgb = [0.235, 0.255, 0.335];
const LINEN: Rgb = [0.72, 0.66, 0.52];
const LEATHER: Rgb = [0.40, 0.245, 0.14];
const DARK_LEATHER: Rgb = [0.265, 0.165, 0.105];
const BRASS: Rgb = [0.84, 0.64, 0.30];

/// The coat of paint at a spot.
pub(super) fn coat(spot: &Spot) -> Coat {
    match spot.region {
        region::HOOD => hood(spot),
        region::LINING => lining(spot),
        region::MASK => mask(spot),
        region::COAT => tunic(spot),
        region::SLEEVE => sleeve(spot),
        region::BRACER => bracer(spot),
        region::GLOVE => glove(spot),
        region::BELT => belt(spot),
        region::TROUSERS => trousers(spot),
        region::BOOT => boot(spot),
        region::SOLE => sole(spot),
        region::BRASS => brass(spot),
        region::SCARF => scarf(spot),
        region::BAG => bag(spot),
        _ => feather(spot),
    }
}

/// Woven cloth: mottled, with soft creases along `grain`.
fn cloth(spot: &Spot, color: Rgb, grain: DVec3, seed: u32) -> Coat {
    let place = spot.place;
    let mottle = fractal(place * 26.0, 3, seed);
    let thread = value(place * 110.0, seed + 1);
    let crease = fractal(place * grain, 3, seed + 2);
    let fold = ramp(crease, 0.35, 0.65);
    let tone = 0.86 + 0.22 * mottle + 0.05 * thread + 0.10 * fold;
    Coat {
        color: scale_rgb(color, tone),
        shine: [0.045, 0.045, 0.05],
        height: 0.000_3 * thread + 0.006 * fold,
    }
}

/// Hide: fine grain, worn lighter where it protrudes.
fn leather(spot: &Spot, color: Rgb, seed: u32) -> Coat {
    let place = spot.place;
    let grain = cells(place * 95.0, seed);
    let mottle = fractal(place * 14.0, 3, seed + 1);
    let worn = ramp(spot.open, 0.80, 1.0) * ramp(fractal(place * 33.0, 2, seed + 2), 0.45, 0.75);
    let tone = 0.72 + 0.50 * mottle - 0.10 * (1.0 - grain.border);
    let color = mix_rgb(scale_rgb(color, tone), scale_rgb(color, 1.55), worn * 0.45);
    let shine = 0.14 + 0.10 * worn;
    Coat {
        color,
        shine: [shine, shine * 0.95, shine * 0.88],
        height: 0.000_9 * hold(grain.border * 3.0, 0.0, 1.0) + 0.001_5 * mottle,
    }
}

/// Beaten metal, darker in its folds.
fn brass(spot: &Spot) -> Coat {
    let place = spot.place;
    let dents = fractal(place * 40.0, 2, 71);
    let patina =
        ramp(fractal(place * 18.0, 3, 72), 0.45, 0.75) * 0.6 + ramp(spot.open, 0.85, 0.45) * 0.6;
    let patina = hold(patina, 0.0, 1.0);
    let mut result = Coat {
        color: scale_rgb(mix_rgb(BRASS, [0.28, 0.27, 0.18], patina), 0.85 + 0.25 * dents),
        shine: mix_rgb([0.85, 0.70, 0.42], [0.18, 0.18, 0.14], patina),
        height: 0.001_6 * dents,
    };
    // Three engraved rays on the shoulder plate.
    if place.y > 0.13 && place.z > 1.3 {
        let out = DVec3::new(place.x + 0.015, place.y - 0.16, 0.0);
        let turn = libm::atan2(out.x, out.y) / std::f64::consts::TAU;
        let ray =
            band((turn * 18.0).fract().abs() - 0.5, 0.10, 0.10) * ramp(out.length(), 0.02, 0.05);
        result.color = scale_rgb(result.color, 1.0 - 0.35 * ray);
        result.height -= 0.003 * ray;
    }
    result
}

/// Adds a row of stitches: `across` and `along` in model units from the row's line.
fn stitch(base: &mut Coat, across: f64, along: f64, color: Rgb) {
    const PITCH: f64 = 0.020;
    let dash = band((along / PITCH).fract().abs() - 0.5, 0.28, 0.12);
    let seam = band(across, 0.0015, 0.004);
    let thread = band(across, 0.0024, 0.002) * dash;
    base.color = mix_rgb(scale_rgb(base.color, 1.0 - 0.25 * seam), color, thread * 0.85);
    base.height += 0.002_2 * thread - 0.002_5 * seam;
}

/// A woven border in ochre with a row of small diamonds; `inside` is the distance from its edge.
fn border(base: &mut Coat, inside: f64, along: f64, width: f64) {
    let on = ramp(inside, -0.002, 0.0) * ramp(inside, width, width - 0.003);
    if on <= 0.0 {
        return;
    }
    let across = (inside / width - 0.5) * 2.0;
    let step = (along / (width * 1.1)).fract().abs() - 0.5;
    let diamond = ramp(across.abs() * 0.9 + step.abs() * 2.2, 0.95, 0.70);
    let edge = ramp(across.abs(), 0.72, 0.84);
    let color = mix_rgb(mix_rgb(OCHRE, RUST, diamond), [0.52, 0.34, 0.12], edge);
    let tone = 0.8 + 0.3 * fractal(DVec3::new(along, inside, 0.0) * 60.0, 2, 5);
    base.color = mix_rgb(base.color, scale_rgb(color, tone), on);
    base.height += on * (0.003 + 0.001_5 * diamond + 0.001 * edge);
}

/// Distance around the body's axis, in model units at a radius of 0.2.
fn around(place: DVec3) -> f64 {
    libm::atan2(place.y, place.x) * 0.2
}

fn hood(spot: &Spot) -> Coat {
    let place = spot.place;
    let mut base = cloth(spot, TEAL, DVec3::new(9.0, 16.0, 5.0), 11);
    // Sun-bleached above.
    let bleached = ramp(spot.normal.z, 0.2, 1.0) * 0.30;
    base.color = mix_rgb(base.color, [0.30, 0.50, 0.45], bleached);
    if place.z < 1.50 {
        border(&mut base, place.z - 1.288, around(place), 0.034);
        stitch(&mut base, place.y - 0.0, place.z, OCHRE);
    } else {
        // The middle seam, and a rim around the face.
        stitch(&mut base, place.y, place.x + place.z, OCHRE);
        let rim = face_rim(place);
        if place.x > -0.02 {
            border(&mut base, rim, libm::atan2(place.y, place.z - 1.634) * 0.12, 0.020);
        }
    }
    base
}

/// Distance of a point of the hood from the opening for the face.
fn face_rim(place: DVec3) -> f64 {
    let local = DVec3::new((place.x - 0.112) / 0.112, place.y / 0.088, (place.z - 1.634) / 0.128);
    (local.length() - 1.0) * 0.09
}

fn lining(spot: &Spot) -> Coat {
    let mut base = cloth(spot, [0.13, 0.12, 0.14], DVec3::splat(14.0), 21);
    base.shine = [0.02, 0.02, 0.02];
    // The lids around the eyes are as light as the mask.
    let place = DVec3::new(spot.place.x, spot.place.y.abs(), spot.place.z);
    let lid = ramp((place - EYE).length(), 0.040, 0.034);
    base.color = mix_rgb(base.color, [0.66, 0.49, 0.37], lid);
    base
}

fn mask(spot: &Spot) -> Coat {
    let place = spot.place;
    let (side, up) = (place.y.abs(), place.z);
    let glaze = fractal(place * 30.0, 3, 31);
    let crackle = ramp(cells(place * 42.0, 32).border, 0.035, 0.0) * ramp(glaze, 0.42, 0.6);
    let mut color = scale_rgb(FACE, 0.92 + 0.12 * glaze);
    // Darkened towards the rim and in folds.
    let stain = ramp(place.x, 0.075, 0.02) * 0.35 + ramp(spot.open, 0.75, 0.35) * 0.30;
    color = mix_rgb(color, [0.62, 0.42, 0.30], hold(stain, 0.0, 0.6));
    // Painted marks: a flame on the forehead, rosy cheeks, brows in a high arch.
    let flame = ramp(side - 0.016 * ramp(up, 1.755, 1.690), 0.003, 0.0) * ramp(up, 1.682, 1.690);
    let cheek = ramp(DVec3::new(side - 0.047, up - 1.603, 0.0).length(), 0.022, 0.006);
    color = mix_rgb(color, ROSE, cheek * 0.55);
    let arch = 1.690 - (side - 0.034) * (side - 0.034) * 14.0;
    let brow = band(up - arch, 0.0040, 0.002) * ramp(side, 0.012, 0.020) * ramp(side, 0.064, 0.054);
    let mark = flame * (0.80 + 0.20 * ramp(glaze, 0.35, 0.5));
    color = mix_rgb(color, RED, mark);
    color = mix_rgb(color, [0.30, 0.18, 0.12], brow * 0.85);
    // A mouth line, carved: a smile.
    let mouth_at = up - 1.5775 - side * side * 15.0;
    let mouth =
        band(mouth_at, 0.0020, 0.0025) * ramp(side, 0.033, 0.027) * ramp(place.x, 0.05, 0.07);
    color = mix_rgb(color, [0.45, 0.18, 0.14], mouth * 0.9);
    color = scale_rgb(color, 1.0 - 0.16 * crackle);
    Coat {
        color,
        shine: mix_rgb([0.38, 0.37, 0.35], [0.10, 0.06, 0.05], mark * 0.6),
        height: -0.000_6 * crackle - 0.003 * mouth - 0.000_8 * mark,
    }
}

fn tunic(spot: &Spot) -> Coat {
    let place = spot.place;
    let below = place.z < 0.99;
    let grain = if below { DVec3::new(15.0, 15.0, 3.0) } else { DVec3::new(9.0, 9.0, 13.0) };
    let mut base = cloth(spot, RUST, grain, 41);
    // Quilted in long lozenges above the belt.
    if !below {
        let (a, b) = (around(place) / 0.052, place.z / 0.085);
        let ridge = max(
            band((a + b).fract().abs() - 0.5, 0.03, 0.09),
            band((a - b + 40.0).fract().abs() - 0.5, 0.03, 0.09),
        );
        base.height -= 0.004 * ridge;
        base.color = scale_rgb(base.color, 1.0 - 0.22 * ridge);
    }
    // Front seam with a darker panel, and the woven hem.
    let panel = band(place.y, 0.030, 0.003) * ramp(place.x, 0.02, 0.04);
    base.color = mix_rgb(
        base.color,
        scale_rgb([0.44, 0.17, 0.12], 0.9 + 0.2 * value(place * 40.0, 3)),
        panel * 0.85,
    );
    base.height += 0.002 * panel;
    if place.x > 0.03 {
        stitch(&mut base, place.y.abs() - 0.035, place.z, OCHRE);
    }
    if below {
        border(&mut base, place.z - 0.7225, around(place), 0.030);
        let dust = ramp(place.z, 0.83, 0.72) * ramp(fractal(place * 20.0, 3, 44), 0.35, 0.7);
        base.color = mix_rgb(base.color, [0.55, 0.46, 0.36], dust * 0.35);
    }
    // A strap across the chest, from the right shoulder to the left hip, with a brass ring.
    let across = strap_distance(place);
    let strap = band(across, 0.019, 0.002);
    if strap > 0.0 && !below {
        let mut hide = leather(spot, DARK_LEATHER, 45);
        let along = place.z * 1.1;
        stitch(&mut hide, across.abs() - 0.014, along, LINEN);
        base.color = mix_rgb(base.color, hide.color, strap);
        base.shine = mix_rgb(base.shine, hide.shine, strap);
        base.height = mix(base.height, hide.height + 0.007, strap);
    }
    base
}

fn strap_distance(place: DVec3) -> f64 {
    DVec3::new(0.0, 0.66, 0.75).dot(place - DVec3::new(0.0, -0.01, 1.20))
}

fn sleeve(spot: &Spot) -> Coat {
    let along = spot.place.y.abs() * 0.69 - spot.place.z * 0.72;
    let mut base = cloth(spot, SLATE, DVec3::new(11.0, 24.0, 24.0), 51);
    base.height += 0.000_8 * wave(along * 24.0);
    base
}

fn bracer(spot: &Spot) -> Coat {
    let place = spot.place;
    let mut base = leather(spot, LEATHER, 61);
    let along = place.y.abs() * 0.68 - place.z * 0.735;
    for strap in [-0.405, -0.345] {
        let on = band(along - strap, 0.010, 0.002);
        base.color = mix_rgb(base.color, DARK_LEATHER, on * 0.9);
        base.height += 0.004 * on;
        let buckle = on * band(place.x - 0.03, 0.012, 0.004) * ramp(spot.normal.z, -0.2, 0.1);
        base.color = mix_rgb(base.color, BRASS, buckle);
        base.shine = mix_rgb(base.shine, [0.7, 0.6, 0.4], buckle);
    }
    base
}

fn glove(spot: &Spot) -> Coat {
    let mut base = leather(spot, DARK_LEATHER, 62);
    let place = spot.place;
    // Knuckles and the backs of the hands are padded.
    let back = ramp(spot.normal.y * place.y.signum(), 0.35, 0.7) * ramp(place.z, 0.955, 0.975);
    base.color = mix_rgb(base.color, scale_rgb(LEATHER, 1.1), back * 0.7);
    base.height += 0.002 * back;
    base
}

fn belt(spot: &Spot) -> Coat {
    let place = spot.place;
    let mut base = leather(spot, DARK_LEATHER, 63);
    let across = (place.z - 0.995).abs() - 0.021;
    stitch(&mut base, across, around(place), LINEN);
    let stud = ramp(((around(place) / 0.045).fract().abs() - 0.5).abs() * 0.045, 0.0075, 0.004)
        * ramp((place.z - 0.995).abs(), 0.0075, 0.004);
    base.color = mix_rgb(base.color, BRASS, stud);
    base.shine = mix_rgb(base.shine, [0.8, 0.66, 0.4], stud);
    base.height += 0.003 * stud;
    base
}

/// The eyes, by the texture coordinates of a ball: a dark pupil ahead, a teal iris around it, then
/// white.
pub(super) fn lens(u: f64, v: f64) -> [f64; 4] {
    let (across, up) = ((u - 0.5) * 2.0, v - 0.5);
    let away = (across * across + up * up).sqrt();
    let iris = mix_rgb([0.16, 0.46, 0.44], [0.06, 0.26, 0.28], ramp(away, 0.13, 0.25));
    let ball = mix_rgb(iris, [0.84, 0.80, 0.74], ramp(away, 0.245, 0.275));
    let color = mix_rgb([0.03, 0.06, 0.07], ball, ramp(away, 0.110, 0.135));
    let glint = ramp(DVec3::new(across + 0.06, up + 0.07, 0.0).length(), 0.055, 0.035);
    solid(mix_rgb(color, [1.0; 3], glint))
}

fn trousers(spot: &Spot) -> Coat {
    let place = spot.place;
    let mut base = cloth(spot, [0.33, 0.30, 0.27], DVec3::new(13.0, 13.0, 19.0), 81);
    stitch(&mut base, place.x + 0.002, place.z, LINEN);
    // A patch on each knee.
    let (x, z) = (place.y.abs() - 0.108, place.z - 0.505);
    let patch = ramp(max(x.abs(), z.abs() * 0.75), 0.042, 0.039) * ramp(spot.normal.x, 0.1, 0.35);
    if patch > 0.0 {
        let hide = leather(spot, LEATHER, 82);
        base.color = mix_rgb(base.color, hide.color, patch);
        base.height = mix(base.height, hide.height + 0.004, patch);
        let edge = max(x.abs(), z.abs() * 0.75) - 0.034;
        stitch(&mut base, edge, place.z + place.y, LINEN);
    }
    base
}

fn boot(spot: &Spot) -> Coat {
    let place = spot.place;
    let mut base = leather(spot, LEATHER, 91);
    // Dust below, a darker fold above, laces in front.
    let dust = ramp(place.z, 0.20, 0.02) * ramp(fractal(place * 24.0, 3, 92), 0.3, 0.7);
    base.color = mix_rgb(base.color, [0.56, 0.48, 0.38], dust * 0.5);
    let cuff = ramp(place.z, 0.345, 0.350);
    base.color = mix_rgb(
        base.color,
        scale_rgb(DARK_LEATHER, 0.9 + 0.4 * value(place * 30.0, 93)),
        cuff * 0.8,
    );
    let (across, up) = (place.y.abs() - 0.116, place.z);
    let front = ramp(spot.normal.x, 0.35, 0.6) * ramp(up, 0.335, 0.325) * ramp(up, 0.095, 0.105);
    let rung = (up / 0.042).fract();
    let slope = if across > 0.0 { rung } else { 1.0 - rung };
    let lace = band(slope - 0.5 - across * 9.0, 0.07, 0.05) * band(across, 0.026, 0.004) * front;
    let gap = band(across, 0.005, 0.004) * front;
    base.color = mix_rgb(scale_rgb(base.color, 1.0 - 0.5 * gap), LINEN, lace * 0.9);
    base.height += 0.004 * lace - 0.003 * gap;
    base
}

fn sole(spot: &Spot) -> Coat {
    let mut base = leather(spot, [0.20, 0.15, 0.12], 94);
    let tread = band((spot.place.x / 0.03).fract().abs() - 0.5, 0.16, 0.08)
        * ramp(spot.normal.z, -0.6, -0.9);
    base.height -= 0.004 * tread;
    base.color = scale_rgb(base.color, 1.0 - 0.3 * tread);
    base
}

fn scarf(spot: &Spot) -> Coat {
    let place = spot.place;
    let mut base = cloth(spot, OCHRE, DVec3::new(16.0, 16.0, 40.0), 101);
    let stripe = band((place.z * 30.0 + around(place) * 3.0).fract() - 0.5, 0.13, 0.06);
    base.color = mix_rgb(base.color, scale_rgb(RUST, 0.95), stripe * 0.75);
    base
}

fn bag(spot: &Spot) -> Coat {
    let place = spot.place;
    let mut base = leather(spot, scale_rgb(LEATHER, 1.12), 111);
    if place.x < -0.1 {
        // The quiver: bands around it.
        let along = place.z - place.y * 0.45;
        for ring in [1.10, 1.25, 1.36] {
            let on = band(along - ring, 0.012, 0.002);
            base.color = mix_rgb(base.color, scale_rgb(DARK_LEATHER, 0.9), on * 0.9);
            base.height += 0.004 * on;
            stitch(&mut base, (along - ring).abs() - 0.017, place.y * 1.4 + place.x, LINEN);
        }
    } else {
        stitch(&mut base, place.z - 0.925, around(place), LINEN);
    }
    base
}

fn feather(spot: &Spot) -> Coat {
    let place = spot.place;
    let barb = value(place * DVec3::new(40.0, 40.0, 240.0), 121);
    let bars = ramp(wave(place.z * 26.0), 0.2, 0.5);
    let color = mix_rgb(CREAM, RED, bars * 0.9);
    Coat { color: scale_rgb(color, 0.8 + 0.25 * barb), shine: [0.05; 3], height: 0.001 * barb }
}
