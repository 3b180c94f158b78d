//! Body parts recognized in the names of joints: `Bip01 L Hand`, `hand_l`, `LeftHand`, `bhornr2`.
//!
//! A name is split into words where the kind of its characters changes (`LeftHand`, `hand_l`,
//! `toe01`). An unknown word is read as a sequence of known words (`rightarm`), optionally preceded
//! by a letter for the side, the pair of legs or an exporter's prefix, or followed by a letter for
//! the side (`ffoot`, `hornr`). Only whole words count: the tail of a ponytail is hair, and a
//! `detail` has none.

/// A part of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Head,
    /// Parts on the front of a head.
    Face,
    /// Hair, as a ponytail.
    Hair,
    Neck,
    /// Spine, chest and belly.
    Trunk,
    Pelvis,
    Tail,
    Arm,
    Wing,
    Hand,
    /// Any part of a leg above the foot.
    Leg,
    Foot,
    Toe,
    /// Things that are worn on the back.
    Back,
}

/// The left or the right side of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Left,
    Right,
}

/// The front or the rear one of two pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    Front,
    Rear,
}

/// Meaning of a joint's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    pub part: Option<Part>,
    pub side: Option<Side>,
    pub end: Option<End>,
    /// True if it controls other joints and is not part of the body, such as the target of a leg.
    pub is_control: bool,
    /// The name without side and end: the same for both joints of a pair.
    pub base: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Part(Part),
    Side(Side),
    End(End),
    /// The side and end of a leg, as in `RR_leg`.
    Corner(End, Side),
    Control,
    /// Known words without meaning here.
    Filler,
}

#[rustfmt::skip]
const WORDS: &[(&str, Word)] = &[
    ("head", Word::Part(Part::Head)), ("skull", Word::Part(Part::Head)),
    ("nose", Word::Part(Part::Face)), ("jaw", Word::Part(Part::Face)), ("snout", Word::Part(Part::Face)),
    ("mouth", Word::Part(Part::Face)), ("beak", Word::Part(Part::Face)), ("eye", Word::Part(Part::Face)),
    ("eyes", Word::Part(Part::Face)), ("eyelid", Word::Part(Part::Face)), ("eyeball", Word::Part(Part::Face)),
    ("eyebrow", Word::Part(Part::Face)), ("brow", Word::Part(Part::Face)), ("lip", Word::Part(Part::Face)),
    ("lips", Word::Part(Part::Face)), ("chin", Word::Part(Part::Face)), ("beard", Word::Part(Part::Face)),
    ("tongue", Word::Part(Part::Face)), ("cheek", Word::Part(Part::Face)), ("face", Word::Part(Part::Face)),
    ("muzzle", Word::Part(Part::Face)), ("teeth", Word::Part(Part::Face)), ("tusk", Word::Part(Part::Face)),
    ("ponytail", Word::Part(Part::Hair)), ("pigtail", Word::Part(Part::Hair)), ("ptail", Word::Part(Part::Hair)),
    ("hair", Word::Part(Part::Hair)), ("braid", Word::Part(Part::Hair)), ("mane", Word::Part(Part::Hair)),
    ("neck", Word::Part(Part::Neck)),
    ("spine", Word::Part(Part::Trunk)), ("chest", Word::Part(Part::Trunk)), ("torso", Word::Part(Part::Trunk)),
    ("thorax", Word::Part(Part::Trunk)), ("belly", Word::Part(Part::Trunk)), ("abdomen", Word::Part(Part::Trunk)),
    ("ribs", Word::Part(Part::Trunk)), ("ribcage", Word::Part(Part::Trunk)), ("body", Word::Part(Part::Trunk)),
    ("waist", Word::Part(Part::Pelvis)), ("pelvis", Word::Part(Part::Pelvis)), ("hips", Word::Part(Part::Pelvis)),
    ("hip", Word::Part(Part::Leg)),
    ("tail", Word::Part(Part::Tail)),
    ("arm", Word::Part(Part::Arm)), ("forearm", Word::Part(Part::Arm)), ("upperarm", Word::Part(Part::Arm)),
    ("uparm", Word::Part(Part::Arm)), ("lowerarm", Word::Part(Part::Arm)), ("elbow", Word::Part(Part::Arm)),
    ("shoulder", Word::Part(Part::Arm)), ("clavicle", Word::Part(Part::Arm)), ("wing", Word::Part(Part::Wing)),
    ("omoplate", Word::Part(Part::Arm)), ("scapula", Word::Part(Part::Arm)),
    ("hand", Word::Part(Part::Hand)), ("wrist", Word::Part(Part::Hand)), ("palm", Word::Part(Part::Hand)),
    ("finger", Word::Part(Part::Hand)), ("fingers", Word::Part(Part::Hand)), ("thumb", Word::Part(Part::Hand)),
    ("leg", Word::Part(Part::Leg)), ("thigh", Word::Part(Part::Leg)), ("shin", Word::Part(Part::Leg)),
    ("calf", Word::Part(Part::Leg)), ("knee", Word::Part(Part::Leg)), ("upperleg", Word::Part(Part::Leg)),
    ("upleg", Word::Part(Part::Leg)), ("lowerleg", Word::Part(Part::Leg)), ("femur", Word::Part(Part::Leg)),
    ("tibia", Word::Part(Part::Leg)),
    ("foot", Word::Part(Part::Foot)), ("feet", Word::Part(Part::Foot)), ("ankle", Word::Part(Part::Foot)),
    ("heel", Word::Part(Part::Foot)), ("hoof", Word::Part(Part::Foot)), ("paw", Word::Part(Part::Foot)),
    ("toe", Word::Part(Part::Toe)), ("toes", Word::Part(Part::Toe)), ("ball", Word::Part(Part::Toe)),
    ("cape", Word::Part(Part::Back)), ("cloak", Word::Part(Part::Back)), ("backpack", Word::Part(Part::Back)),
    ("quiver", Word::Part(Part::Back)), ("rucksack", Word::Part(Part::Back)),
    ("left", Word::Side(Side::Left)), ("lft", Word::Side(Side::Left)), ("lt", Word::Side(Side::Left)),
    ("l", Word::Side(Side::Left)),
    ("right", Word::Side(Side::Right)), ("rgt", Word::Side(Side::Right)), ("rt", Word::Side(Side::Right)),
    ("r", Word::Side(Side::Right)),
    ("front", Word::End(End::Front)), ("fore", Word::End(End::Front)),
    ("hind", Word::End(End::Rear)), ("rear", Word::End(End::Rear)),
    ("fl", Word::Corner(End::Front, Side::Left)), ("fr", Word::Corner(End::Front, Side::Right)),
    ("rl", Word::Corner(End::Rear, Side::Left)), ("rr", Word::Corner(End::Rear, Side::Right)),
    ("bl", Word::Corner(End::Rear, Side::Left)), ("br", Word::Corner(End::Rear, Side::Right)),
    ("ik", Word::Control), ("ikt", Word::Control), ("fk", Word::Control), ("target", Word::Control),
    ("ctrl", Word::Control), ("control", Word::Control), ("pole", Word::Control), ("handle", Word::Control),
    ("effector", Word::Control), ("nub", Word::Control), ("footsteps", Word::Control),
    ("upper", Word::Filler), ("lower", Word::Filler), ("up", Word::Filler), ("low", Word::Filler),
    ("horn", Word::Filler), ("ear", Word::Filler), ("corner", Word::Filler), ("bone", Word::Filler),
    ("bip", Word::Filler), ("root", Word::Filler), ("main", Word::Filler), ("joint", Word::Filler),
    ("tool", Word::Filler), ("weapon", Word::Filler), ("leaf", Word::Filler), ("pocket", Word::Filler),
    ("football", Word::Filler), ("eyeglasses", Word::Filler), ("header", Word::Filler),
];

fn known(word: &str) -> Option<Word> {
    WORDS.iter().find(|(own, _)| *own == word).map(|(_, meaning)| *meaning)
}

/// Words of a name: runs of letters in lower case, also split at changes between lower case and
/// capitals.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut found: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, &letter) in letters.iter().enumerate() {
        let is_capital = letter.is_uppercase();
        let follows_small = at > 0 && letters[at - 1].is_lowercase();
        let starts_small = at > 0
            && letters[at - 1].is_uppercase()
            && letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        if (!letter.is_alphabetic() || is_capital && (follows_small || starts_small))
            && !word.is_empty()
        {
            found.push(std::mem::take(&mut word));
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
    }
    if !word.is_empty() {
        found.push(word);
    }
    joined(found)
}

/// Words that form a known one with the following word, such as `PTail` and `Fore_Arm`.
fn joined(words: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words {
        match found.last_mut() {
            Some(last) if word.len() > 2 && known(&format!("{last}{word}")).is_some() => {
                last.push_str(&word);
            }
            _ => found.push(word),
        }
    }
    found
}

/// Known words that together form a whole word; at most [`MAX_WORDS`] of them, the longest first.
fn split(word: &str, most: usize) -> Option<Vec<Word>> {
    if word.is_empty() {
        return Some(Vec::new());
    }
    if most == 0 {
        return None;
    }
    (2..=word.len()).rev().filter(|&end| word.is_char_boundary(end)).find_map(|end| {
        let first = known(&word[..end])?;
        // Two letters are a word only by themselves.
        if end == 2 && word.len() > 2 {
            return None;
        }
        let mut found = vec![first];
        found.extend(split(&word[end..], most - 1)?);
        Some(found)
    })
}

/// Most known words in a word without gaps.
const MAX_WORDS: usize = 3;
/// Maximum length of a word that is searched for known ones.
const LONGEST: usize = 40;

/// Meanings of a word: itself, known words in sequence, or those with a letter before or after
/// them.
fn read(word: &str, has_side: bool) -> Vec<Word> {
    if let Some(own) = known(word) {
        return vec![own];
    }
    if !word.is_ascii() || word.len() < 3 || word.len() > LONGEST {
        return Vec::new();
    }
    if let Some(found) = split(word, MAX_WORDS) {
        return found;
    }
    let (first, rest) = word.split_at(1);
    if let Some(found) = split(rest, MAX_WORDS) {
        // `rfoot.l` is the left one of the rear feet, `rhand` the right hand.
        let letter = match (first, has_side) {
            ("l", false) => Some(Word::Side(Side::Left)),
            ("r", false) => Some(Word::Side(Side::Right)),
            ("f", _) => Some(Word::End(End::Front)),
            ("r" | "h", true) => Some(Word::End(End::Rear)),
            _ => None,
        };
        return letter.into_iter().chain(found).collect();
    }
    let (front, last) = word.split_at(word.len() - 1);
    // An exporter's letter may also precede it, as in `bhornr`.
    let inner = split(front, MAX_WORDS).or_else(|| split(&front[1..], MAX_WORDS));
    let letter = match last {
        "l" => Some(Word::Side(Side::Left)),
        "r" => Some(Word::Side(Side::Right)),
        "f" => Some(Word::End(End::Front)),
        "b" => Some(Word::End(End::Rear)),
        _ => None,
    };
    match (inner, letter) {
        (Some(found), Some(letter)) => found.into_iter().chain([letter]).collect(),
        _ => Vec::new(),
    }
}

/// The meaning of a joint's name.
pub(super) fn meaning(name: &str) -> Meaning {
    let words = words(name);
    let is_side = |word: &String| matches!(known(word), Some(Word::Side(_)));
    let has_side = words.iter().any(is_side);
    let mut found = Meaning::default();
    for word in &words {
        let mut is_telling = false;
        for one in read(word, has_side) {
            match one {
                // The last part counts: a left hand's finger is a finger. A head's hair is hair.
                Word::Part(part) => {
                    let is_kept = matches!(found.part, Some(Part::Hair | Part::Toe))
                        || (found.part.is_some() && part == Part::Trunk);
                    if !is_kept {
                        found.part = Some(part);
                    }
                }
                Word::Side(side) => {
                    found.side = Some(side);
                    is_telling = true;
                }
                Word::End(end) => {
                    found.end = Some(end);
                    is_telling = true;
                }
                Word::Corner(end, side) => {
                    (found.end, found.side) = (Some(end), Some(side));
                    is_telling = true;
                }
                Word::Control => found.is_control = true,
                Word::Filler => {}
            }
        }
        found.base += &if is_telling { without_letters(word) } else { word.clone() };
        found.base.push(' ');
    }
    // Digits belong to the base: `hornr2` is the partner of `hornl2`.
    found.base.extend(name.chars().filter(char::is_ascii_digit));
    found
}

/// A word without the letters that mark its side or end.
fn without_letters(word: &str) -> String {
    if known(word).is_some() {
        return String::new();
    }
    let mut word = word.to_owned();
    for part in ["left", "right", "front", "fore", "hind", "rear"] {
        if word.contains(part) {
            return word.replacen(part, "", 1);
        }
    }
    let is_letter = |letter: &str| matches!(letter, "l" | "r" | "f" | "b" | "h");
    if split(&word[1..], MAX_WORDS).is_some() && is_letter(&word[..1]) {
        word.remove(0);
    } else {
        word.pop();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str) -> (Option<Part>, Option<Side>, Option<End>) {
        let found = meaning(name);
        (found.part, found.side, found.end)
    }

    #[test]
    fn names_of_exporters_tell_part_and_side() {
        let left = Some(Side::Left);
        for (name, part) in [
            ("Bip01 L Hand", Part::Hand),
            ("Bip01_L_Hand", Part::Hand),
            ("hand_l", Part::Hand),
            ("hand.L", Part::Hand),
            ("LeftHand", Part::Hand),
            ("leftHand", Part::Hand),
            ("lefthand", Part::Hand),
            ("mixamorig:LeftHand", Part::Hand),
            ("lhand", Part::Hand),
            ("LHand", Part::Hand),
            ("Lshoulder", Part::Arm),
            ("Bip01_L_UpperArm", Part::Arm),
            ("x3ds_L_Arm_uppe", Part::Arm),
            ("Armature_Arm_Left", Part::Arm),
            ("B_Toe_Left", Part::Toe),
            ("ball_l", Part::Toe),
            ("thigh_l", Part::Leg),
            ("Leg-Upper.Left", Part::Leg),
        ] {
            assert_eq!(told(name), (Some(part), left, None), "{name}");
        }
        assert_eq!(told("RR_leg"), (Some(Part::Leg), Some(Side::Right), Some(End::Rear)));
        assert_eq!(told("rfoot.l"), (Some(Part::Foot), Some(Side::Left), Some(End::Rear)));
        assert_eq!(told("ffoot.r"), (Some(Part::Foot), Some(Side::Right), Some(End::Front)));
        assert_eq!(told("HindLeg_L_01"), (Some(Part::Leg), Some(Side::Left), Some(End::Rear)));
        assert_eq!(told("forearm_r"), (Some(Part::Arm), Some(Side::Right), None));
        assert_eq!(told("bhornr2"), (None, Some(Side::Right), None));
        assert_eq!(told("bhornf1"), (None, None, Some(End::Front)));
        assert_eq!(told("bhead"), (Some(Part::Head), None, None));
    }

    #[test]
    fn words_count_as_a_whole() {
        assert_eq!(meaning("Bip01_Ponytail1").part, Some(Part::Hair));
        for name in ["B_PTail1", "PonyTail", "pony_tail", "hair_back"] {
            assert_eq!(meaning(name).part, Some(Part::Hair), "{name}");
        }
        assert_eq!(meaning("Tail01").part, Some(Part::Tail));
        for name in ["detail", "cocktail_glass", "earth", "Bone01", "armature", "charm", "x", ""] {
            assert_eq!(meaning(name).part, None, "{name}");
        }
        assert!(meaning("Armature_IK_Left_Leg").is_control);
        assert!(meaning("bhornrtarget").is_control || meaning("bhornrtarget").part.is_none());
    }

    #[test]
    fn partners_have_the_same_base() {
        for [left, right] in [
            ["LeftHand", "RightHand"],
            ["Bip01 L Toe0", "Bip01 R Toe0"],
            ["hornl2", "hornr2"],
            ["hand.l", "hand.r"],
            ["lefthand", "righthand"],
            ["lhand", "rhand"],
            ["Chest.Left", "Chest.Right"],
        ] {
            assert_eq!(meaning(left).base, meaning(right).base, "{left}");
        }
        assert_ne!(meaning("finger1_l").base, meaning("finger2_r").base);
        assert_eq!(meaning("fleg1.l").base, meaning("rleg1.l").base);
    }
}
