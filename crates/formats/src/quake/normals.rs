//! The 162 normal directions of `.mdl` and `.md2` files, by number: corners of an icosahedron
//! subdivided twice.

use tintype_model::math::Vec3;

/// The lengths of the components of the directions.
const LENGTHS: [f32; 21] = [
    0.0, 0.147_621, 0.162_46, 0.238_856, 0.262_866, 0.295_242, 0.309_017, 0.425_325, 0.442_863,
    0.5, 0.525_731, 0.587_785, 0.681_718, 0.688_191, 0.716_567, 0.809_017, 0.850_651, 0.864_188,
    0.951_056, 0.955_423, 1.0,
];

/// Three letters per direction, each the number of a length; capitals are negative.
const DIRECTIONS: &[u8; 486] = b"\
KaqIdrFatGjpCesaauaqkBombomakqgjpkaqfatidrcesMboPgjLhnQkaRidOmbNlhJpgDriHnlOmBJpGKqaaqKDrIatFEsCauaatfEscdri\
escjpgdrIesCjpGqkaombomBkqahnlridnlhpgjmbolhntfauaasceqKatFarIdsCepGjmBoqakriDpgJscEkaQmbOmBOqaKpGJrIDsCEboM\
gjPhnLidRlhNnlHBoMGjPakQKaQIdRFaTCeSaaUfaTceSIDRGJPCESaQKBOMbOMaKQgJPiDRcESdRIjPGhNLoMBnLHlHNaTFaUaeSCaQkaTf\
dRieScjPgoMbkQaDRIJPGESCQKaOMBOMbKQaJPgDRiEScRIdPGjNLhMBoIDrLHnGJpBOmHNlCEsiDrcEsgJpbOmaKqhNllHnnLhTfaSceUaa\
QakTFaSCeRiDScEPgJRIDSCEPGJMbOMBOQaKNlHLhNHnLHNLLHNNLH";

/// The direction of a number, in the axes of the file. None for numbers from 162 on.
pub(super) fn direction(number: u8) -> Vec3 {
    let at = 3 * usize::from(number);
    let Some(letters) = DIRECTIONS.get(at..at + 3) else { return Vec3::ZERO };
    let component = |place: usize| {
        let letter = letters[place];
        let length = LENGTHS[usize::from(letter.to_ascii_lowercase() - b'a')];
        if letter.is_ascii_uppercase() { -length } else { length }
    };
    Vec3::new(component(0), component(1), component(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_unit_vectors_each_once() {
        let all: Vec<Vec3> = (0..162).map(direction).collect();
        for (index, one) in all.iter().enumerate() {
            assert!((one.length() - 1.0).abs() < 2e-6, "{index}: {one}");
            let nearest = all[..index].iter().map(|other| other.distance(*one));
            assert!(nearest.fold(2.0, tintype_model::math::min) > 0.2, "{index}");
        }
        assert_eq!((direction(5), direction(32)), (Vec3::Z, Vec3::Y));
        assert_eq!(direction(143), Vec3::NEG_X);
        assert_eq!(direction(162), Vec3::ZERO);
    }
}
