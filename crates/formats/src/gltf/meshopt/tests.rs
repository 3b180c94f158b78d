use super::*;

/// Streams made by the reference encoder (meshoptimizer 1.1), each with the bytes returned by its
/// decoder.
const VECTORS: &str = include_str!("vectors.txt");

struct Vector {
    mode: Mode,
    filter: Filter,
    count: usize,
    stride: usize,
    stream: Vec<u8>,
    expected: Vec<u8>,
}

fn vectors() -> Vec<Vector> {
    let bytes = |text: &str| {
        let pairs = text.as_bytes().chunks(2);
        let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        pairs.map(byte).collect()
    };
    let vector = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        Vector {
            mode: Mode::from_word(words[0]).unwrap(),
            filter: Filter::from_word(words[1]).unwrap(),
            count: words[2].parse().unwrap(),
            stride: words[3].parse().unwrap(),
            stream: bytes(words[4]),
            expected: bytes(words[5]),
        }
    };
    VECTORS.lines().map(vector).collect()
}

fn decoded(vector: &Vector, stream: &[u8]) -> Result<Vec<u8>, String> {
    decode(stream, vector.mode, vector.filter, vector.count, vector.stride)
}

#[test]
fn streams_decode_as_the_reference_decodes_them() {
    let vectors = vectors();
    assert!(vectors.len() > 15);
    for (line, vector) in vectors.iter().enumerate() {
        assert_eq!(decoded(vector, &vector.stream).as_ref(), Ok(&vector.expected), "{}", line + 1);
    }
}

#[test]
fn damaged_streams_are_refused_or_fill_their_elements() {
    for vector in vectors() {
        let length = vector.count * vector.stride;
        for end in 0..vector.stream.len() {
            assert!(decoded(&vector, &vector.stream[..end]).is_err(), "cut at {end}");
        }
        for place in 0..vector.stream.len() {
            for flip in [1, 0x10, 0x80, 0xff] {
                let mut stream = vector.stream.clone();
                stream[place] ^= flip;
                assert!(decoded(&vector, &stream).map_or(true, |bytes| bytes.len() == length));
            }
        }
        // A count larger than the stream allocates no memory.
        for count in [vector.count * 300, 3 << 40, usize::MAX / 8 * 3] {
            let found = decode(&vector.stream, vector.mode, vector.filter, count, vector.stride);
            assert!(found.is_err(), "{count}");
        }
    }
}

#[test]
fn strides_and_filters_that_do_not_exist_are_refused() {
    let refused = |mode, filter, stride| decode(&[0xa0; 64], mode, filter, 3, stride).unwrap_err();
    assert!(refused(Mode::Attributes, Filter::None, 6).contains("a multiple of 4 from 4 to 256"));
    assert!(refused(Mode::Triangles, Filter::None, 3).contains("expected 2 or 4"));
    assert!(refused(Mode::Indices, Filter::Color, 4).contains("only attributes"));
    assert!(
        refused(Mode::Triangles, Filter::None, 4).contains("found 0xa0; expected 0xe0 or 0xe1")
    );
}
