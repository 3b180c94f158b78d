//! The content of models in the TOML of a record: one joint, mesh or track per line, its numbers in
//! one word of letters each.

use super::model_content::{
    ClipContent, JointContent, KeysContent, MeshContent, MeshJoint, MeshLists, ModelContent,
    TrackContent,
};
use super::motion::NUMBERS;
use super::sums::Sums;
use crate::record::position_sums::{bits, letters};
use crate::record::values::{TextError, count, float, list, quoted, shape, string, text_by};
use std::fmt::Write;
use toml::{Table, Value};

/// Characters of a number of 32 bits.
const NUMBER: usize = 6;

fn numbers_word(values: &[f32]) -> String {
    values.iter().map(|value| letters(u64::from(value.to_bits()), NUMBER)).collect()
}

fn parse_numbers<const N: usize>(word: &str) -> Option<[f32; N]> {
    let value = |chunk: &[u8]| u32::try_from(bits(chunk)?).ok().map(f32::from_bits);
    let values: Option<Vec<f32>> = word.as_bytes().chunks(NUMBER).map(value).collect();
    values?.try_into().ok()
}

/// Sums in one word; empty for those of no element.
fn sums_word(sums: &Sums) -> String {
    if sums.count == 0 { String::new() } else { sums.to_word() }
}

fn parse_sums(word: &str) -> Option<Sums> {
    if word.is_empty() { Some(Sums::default()) } else { Sums::parse(word) }
}

/// Words in quotes.
fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quoted).collect::<Vec<_>>().join(", ")
}

/// The tables `[[content]]`, a text for the joints of each model and for each of its meshes and
/// clips.
pub(in crate::record) fn content_texts(contents: &[ModelContent]) -> Vec<String> {
    let mut texts = Vec::new();
    for content in contents {
        texts.push(text_by(|out| write_joints(content, out)));
        texts.extend(content.meshes.iter().map(|mesh| text_by(|out| write_mesh(mesh, out))));
        texts.extend(content.clips.iter().map(|clip| text_by(|out| write_clip(clip, out))));
    }
    texts
}

fn write_joints(content: &ModelContent, out: &mut String) -> std::fmt::Result {
    writeln!(out, "[[content]]\nmodel = {}", quoted(&content.model))?;
    writeln!(out, "size = {:?}\njoints = [", content.size)?;
    for JointContent { name, parent, marks, local, is_made } in &content.joints {
        let marks = marks.map(|mark| letters(mark, 6)).concat();
        let local = numbers_word(local);
        let made = if *is_made { ", true" } else { "" };
        writeln!(out, "  [{}, {parent}, {}{made}],", quoted(name), words([&*marks, &local]))?;
    }
    writeln!(out, "]")
}

fn write_mesh(mesh: &MeshContent, out: &mut String) -> std::fmt::Result {
    writeln!(out, "[[content.mesh]]\nname = {}", quoted(&mesh.name))?;
    writeln!(out, "shader = {}\nstride = {}", quoted(&mesh.shader), mesh.stride)?;
    if let Some(surface) = mesh.surface {
        writeln!(out, "surface = {}", quoted(&letters(surface, 8)))?;
    }
    if mesh.has_polygons {
        writeln!(out, "polygons = true")?;
    }
    if let Some(grid) = mesh.grid {
        writeln!(out, "grid = {grid:?}")?;
    }
    let MeshLists { positions, weighted, texcoords, colors, normals, corners } = &mesh.lists;
    let lists = [positions, weighted, texcoords, colors, normals, corners].map(sums_word);
    writeln!(out, "lists = [{}]", words(lists.iter().map(String::as_str)))?;
    writeln!(out, "vertices = {}", quoted(&mesh.vertex_marks))?;
    writeln!(out, "triangles = {}\njoints = [", quoted(&mesh.triangle_marks))?;
    for MeshJoint { name, weights, offset } in &mesh.joints {
        let offset = offset.map_or(String::new(), |offset| numbers_word(&offset));
        writeln!(out, "  [{}],", words([name.as_str(), &sums_word(weights), &offset]))?;
    }
    writeln!(out, "]")?;
    write_named("targets", &mesh.targets, out)
}

/// Names with sums; empty if there are none.
fn write_named(key: &str, all: &[(String, Sums)], out: &mut String) -> std::fmt::Result {
    if all.is_empty() {
        return Ok(());
    }
    let word = |(name, sums): &(String, Sums)| format!("[{}]", words([name, &*sums_word(sums)]));
    writeln!(out, "{key} = [{}]", all.iter().map(word).collect::<Vec<_>>().join(", "))
}

fn parse_named(own: &Table, key: &str) -> Result<Vec<(String, Sums)>, TextError> {
    let one = |line: &[Value]| {
        let [name, sums] = line else { return None };
        Some((name.as_str()?.to_owned(), parse_sums(sums.as_str()?)?))
    };
    if own.contains_key(key) { lines(own, key, "a name and a word", one) } else { Ok(Vec::new()) }
}

fn write_clip(clip: &ClipContent, out: &mut String) -> std::fmt::Result {
    let ClipContent { name, keys, rates, seconds, times, tracks, weights, .. } = clip;
    let ClipContent { weight_courses, motion, file_keys, .. } = clip;
    writeln!(out, "[[content.clip]]\nname = {}\nkeys = {keys}", quoted(name))?;
    writeln!(out, "rates = {rates:?}\nseconds = {seconds:?}")?;
    writeln!(out, "times = {}\ntracks = [", quoted(&sums_word(times)))?;
    for TrackContent { name, parent, channels, times, courses, tangents } in tracks {
        let mut sums: Vec<String> = channels.iter().chain(times).map(sums_word).collect();
        if !courses.is_empty() {
            sums.push(courses.clone());
        }
        if tangents.iter().any(|sums| sums.count > 0) {
            sums.extend(tangents.iter().map(sums_word));
        }
        writeln!(
            out,
            "  [{}, {parent}, {}],",
            quoted(name),
            words(sums.iter().map(String::as_str))
        )?;
    }
    writeln!(out, "]")?;
    write_named("weights", weights, out)?;
    if !weight_courses.is_empty() {
        writeln!(out, "weight_courses = {}", quoted(weight_courses))?;
    }
    if !motion.is_empty() {
        writeln!(out, "moves = {}", quoted(&numbers_word(motion)))?;
    }
    write_file_keys(file_keys, out)
}

/// A line for each number of a joint; times equal to those of the previous line are left out.
fn write_file_keys(all: &[KeysContent], out: &mut String) -> std::fmt::Result {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "file_keys = [")?;
    for (place, keys) in all.iter().enumerate() {
        let KeysContent { joint, channel, axis, times, values, tangents, courses } = keys;
        let before = place.checked_sub(1).map(|before| &all[before].times);
        let times = if before == Some(times) { String::new() } else { sums_word(times) };
        let sums = [times, sums_word(values), sums_word(tangents), courses.clone()];
        let sums = words(sums.iter().map(String::as_str));
        writeln!(out, "  [{}, {channel}, {axis}, {sums}],", quoted(joint))?;
    }
    writeln!(out, "]")
}

fn parse_file_keys(own: &Table) -> Result<Vec<KeysContent>, TextError> {
    if !own.contains_key("file_keys") {
        return Ok(Vec::new());
    }
    let keys = |line: &[Value]| {
        let [joint, channel, axis, times, values, tangents, courses] = line else { return None };
        let place =
            |value: &Value| usize::try_from(value.as_integer()?).ok().filter(|place| *place < 3);
        Some(KeysContent {
            joint: joint.as_str()?.to_owned(),
            channel: place(channel)?,
            axis: place(axis)?,
            times: parse_sums(times.as_str()?)?,
            values: parse_sums(values.as_str()?)?,
            tangents: parse_sums(tangents.as_str()?)?,
            courses: courses.as_str()?.to_owned(),
        })
    };
    let mut all = lines(own, "file_keys", "a name, two numbers and four words", keys)?;
    for place in 1..all.len() {
        if all[place].times.count == 0 {
            all[place].times = all[place - 1].times.clone();
        }
    }
    Ok(all)
}

/// Reads the tables; empty if the record has none.
pub(in crate::record) fn parse_contents(root: &Table) -> Result<Vec<ModelContent>, TextError> {
    if !root.contains_key("content") {
        return Ok(Vec::new());
    }
    tables(root, "content")?.into_iter().map(parse_model).collect()
}

/// The value of a key. None if it is absent.
fn optional<T>(
    own: &Table,
    key: &str,
    expected: &'static str,
    read: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, TextError> {
    own.get(key).map(|value| read(value).ok_or_else(|| shape(key, expected))).transpose()
}

/// The tables of a list; empty if the key is absent.
fn tables<'a>(own: &'a Table, key: &str) -> Result<Vec<&'a Table>, TextError> {
    if !own.contains_key(key) {
        return Ok(Vec::new());
    }
    let one = |value: &'a Value| value.as_table().ok_or_else(|| shape(key, "tables"));
    list(own, key)?.iter().map(one).collect()
}

/// The lines of a list of lists, each read by a function.
fn lines<T>(
    own: &Table,
    key: &str,
    expected: &'static str,
    read: impl Fn(&[Value]) -> Option<T>,
) -> Result<Vec<T>, TextError> {
    let line = |value: &Value| value.as_array().and_then(|line| read(line));
    list(own, key)?.iter().map(|value| line(value).ok_or_else(|| shape(key, expected))).collect()
}

fn parse_model(own: &Table) -> Result<ModelContent, TextError> {
    let joint = |line: &[Value]| {
        let [name, parent, marks, local, made @ ..] = line else { return None };
        let is_made = match made {
            [] => false,
            [made] => made.as_bool()?,
            _ => return None,
        };
        let (first, second) = marks.as_str()?.split_at_checked(6)?;
        Some(JointContent {
            name: name.as_str()?.to_owned(),
            parent: parent.as_integer()?.try_into().ok()?,
            marks: [bits(first.as_bytes())?, bits(second.as_bytes())?],
            local: parse_numbers(local.as_str()?)?,
            is_made,
        })
    };
    Ok(ModelContent {
        model: string(own, "model")?,
        size: own.get("size").and_then(float).ok_or_else(|| shape("size", "a number"))?,
        joints: lines(own, "joints", "a name, a parent and two words", joint)?,
        meshes: tables(own, "mesh")?.into_iter().map(parse_mesh).collect::<Result<_, _>>()?,
        clips: tables(own, "clip")?.into_iter().map(parse_clip).collect::<Result<_, _>>()?,
    })
}

fn parse_mesh(own: &Table) -> Result<MeshContent, TextError> {
    let joint = |line: &[Value]| {
        let [name, weights, offset] = line else { return None };
        let offset = match offset.as_str()? {
            "" => None,
            word => Some(parse_numbers(word)?),
        };
        let name = name.as_str()?.to_owned();
        Some(MeshJoint { name, weights: parse_sums(weights.as_str()?)?, offset })
    };
    let lists = list(own, "lists")?.iter().map(|word| parse_sums(word.as_str()?));
    let lists: Option<Vec<Sums>> = lists.collect();
    let lists: Option<[Sums; 6]> = lists.and_then(|lists| lists.try_into().ok());
    let lists = lists.ok_or_else(|| shape("lists", "six words"))?;
    let [positions, weighted, texcoords, colors, normals, corners] = lists;
    Ok(MeshContent {
        name: string(own, "name")?,
        shader: string(own, "shader")?,
        lists: MeshLists { positions, weighted, texcoords, colors, normals, corners },
        vertex_marks: string(own, "vertices")?,
        triangle_marks: string(own, "triangles")?,
        stride: count::<u32>(own, "stride")?.max(1),
        surface: optional(own, "surface", "a word", |word| bits(word.as_str()?.as_bytes()))?,
        grid: optional(own, "grid", "a number", float)?,
        has_polygons: optional(own, "polygons", "true or false", Value::as_bool)?.unwrap_or(false),
        joints: lines(own, "joints", "a name and two words", joint)?,
        targets: parse_named(own, "targets")?,
    })
}

fn parse_clip(own: &Table) -> Result<ClipContent, TextError> {
    let track = |line: &[Value]| {
        let [name, parent, words @ ..] = line else { return None };
        let (words, more) = words.split_at_checked(6)?;
        let sums = |words: &[Value]| -> Option<Vec<Sums>> {
            words.iter().map(|word| parse_sums(word.as_str()?)).collect()
        };
        let [a, b, c, d, e, f]: [Sums; 6] = sums(words)?.try_into().ok()?;
        let (courses, tangents) = match more {
            [] => (String::new(), Vec::new()),
            [courses, tangents @ ..] => (courses.as_str()?.to_owned(), sums(tangents)?),
        };
        let tangents: [Sums; 3] =
            if tangents.is_empty() { Default::default() } else { tangents.try_into().ok()? };
        Some(TrackContent {
            name: name.as_str()?.to_owned(),
            parent: parent.as_integer()?.try_into().ok()?,
            channels: [a, b, c],
            times: [d, e, f],
            courses,
            tangents,
        })
    };
    let numbers = |key: &str| -> Result<Vec<f64>, TextError> {
        let values = list(own, key)?.iter().map(Value::as_float).collect::<Option<Vec<f64>>>();
        values.ok_or_else(|| shape(key, "numbers"))
    };
    let times = parse_sums(&string(own, "times")?).ok_or_else(|| shape("times", "a word"))?;
    Ok(ClipContent {
        name: string(own, "name")?,
        keys: count(own, "keys")?,
        rates: numbers("rates")?.try_into().map_err(|_| shape("rates", "two numbers"))?,
        seconds: numbers("seconds")?.try_into().map_err(|_| shape("seconds", "three numbers"))?,
        times,
        tracks: lines(own, "tracks", "a name, a parent and six words", track)?,
        weights: parse_named(own, "weights")?,
        weight_courses: if own.contains_key("weight_courses") {
            string(own, "weight_courses")?
        } else {
            String::new()
        },
        motion: if own.contains_key("moves") {
            parse_numbers::<NUMBERS>(&string(own, "moves")?)
                .ok_or_else(|| shape("moves", "a word"))?
                .to_vec()
        } else {
            Vec::new()
        },
        file_keys: parse_file_keys(own)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_values_of_a_record_are_no_absent_ones() {
        let own: Table = "size = \"wide\"\ngrid = 0.5".parse().unwrap();
        assert_eq!(optional(&own, "grid", "a number", float).unwrap(), Some(0.5));
        assert_eq!(optional(&own, "surface", "a number", float).unwrap(), None);
        let told = optional(&own, "size", "a number", float).unwrap_err().to_string();
        assert!(told.contains("size") && told.contains("a number"), "{told}");
    }
}
