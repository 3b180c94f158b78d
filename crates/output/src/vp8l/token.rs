//! Pixels as literals, entries of a colour cache, and copies of earlier pixels.

use super::bits::number;
use super::cost::{BIT, symbol_costs, total_cost};

/// Symbols of the first code: 256 values of green, 24 of lengths, and the entries of the cache.
pub(super) const FIRST_CACHED: usize = 256 + 24;
const LONGEST: usize = 4095;
const FARTHEST: usize = (1 << 20) - 120;

/// One or more pixels as they are written.
#[derive(Clone, Copy)]
pub(super) enum Token {
    Literal(u32),
    Cached(usize),
    /// Number of pixels, and the code of the distance.
    Copy(usize, usize),
}

impl Token {
    /// The symbols in each of the five codes (green, red, blue, alpha, distance), with extra bits.
    pub(super) fn symbols(self) -> impl Iterator<Item = Symbol> {
        let plain = |code, symbol| Symbol { code, symbol, rest: 0, extra: 0 };
        let of_number = |code, base, value| {
            let (symbol, rest, extra) = prefix(value);
            Symbol { code, symbol: base + symbol, rest, extra }
        };
        let (symbols, count) = match self {
            Self::Literal(pixel) => {
                let [blue, green, red, alpha] = pixel.to_le_bytes().map(usize::from);
                ([plain(0, green), plain(1, red), plain(2, blue), plain(3, alpha)], 4)
            }
            Self::Cached(place) => ([plain(0, FIRST_CACHED + place); 4], 1),
            Self::Copy(length, code) => {
                let length = of_number(0, 256, length);
                ([length, of_number(4, 0, code), length, length], 2)
            }
        };
        symbols.into_iter().take(count)
    }

    /// The number of pixels that it represents.
    pub(super) fn pixels(self) -> usize {
        if let Self::Copy(length, _) = self { length } else { 1 }
    }
}

/// A symbol of one of the codes.
#[derive(Clone, Copy)]
pub(super) struct Symbol {
    pub code: usize,
    pub symbol: usize,
    /// Extra bits, and their number.
    pub rest: u32,
    pub extra: u32,
}

/// A number from 1 as a symbol and extra bits.
fn prefix(value: usize) -> (usize, u32, u32) {
    let value = value - 1;
    if value < 4 {
        return (value, 0, 0);
    }
    let extra = value.ilog2() - 1;
    let half = value >> extra;
    (2 * extra as usize + half, number(value & ((1 << extra) - 1)), extra)
}

/// Number of times that each symbol occurs.
#[derive(Clone)]
pub(super) struct Counts(pub [Vec<u32>; 5]);

impl Counts {
    pub(super) fn new(cached: usize) -> Self {
        Self([FIRST_CACHED + cached, 256, 256, 256, 40].map(|symbols| vec![0; symbols]))
    }

    pub(super) fn add(&mut self, token: Token) {
        token.symbols().for_each(|Symbol { code, symbol, .. }| self.0[code][symbol] += 1);
    }

    pub(super) fn of(tokens: &[Token], cached: usize) -> Self {
        let mut counts = Self::new(cached);
        tokens.iter().for_each(|&token| counts.add(token));
        counts
    }

    /// The cost of all symbols.
    pub(super) fn cost(&self) -> u64 {
        self.0.iter().map(|counts| total_cost(counts)).sum()
    }
}

/// The positions of pixels in a colour cache that contains them.
pub(super) fn cached(pixels: &[u32], bits: u32) -> Vec<Option<usize>> {
    let mut cache = vec![None; 1 << bits];
    let find = |&pixel: &u32| {
        let place = (pixel.wrapping_mul(0x1e35_a7bd) >> (32 - bits)) as usize;
        let old = cache[place].replace(pixel);
        (old == Some(pixel)).then_some(place)
    };
    pixels.iter().map(find).collect()
}

/// Equal earlier pixels: length and distance.
type Match = (usize, usize);

/// The longest match at each pixel: with the previous pixel, the row above, or a match by hash.
pub(super) fn find_matches(pixels: &[u32], width: usize) -> Vec<(u32, u32)> {
    const HASH_BITS: u32 = 16;
    const TRIES: usize = 8;
    const LONG: usize = 64;
    const NONE: u32 = u32::MAX;
    let mut heads = vec![NONE; 1 << HASH_BITS];
    let mut earlier = vec![NONE; pixels.len()];
    let mut found = Vec::with_capacity(pixels.len());
    let mut last: Match = (0, 0);
    for at in 0..pixels.len() {
        let mut best: Match = if last.0 > 1 { (last.0 - 1, last.1) } else { (0, 0) };
        if let [a, b, ..] = pixels[at..] {
            let hash = a.wrapping_mul(0x9e37_79b1) ^ b.wrapping_mul(0x85eb_ca6b);
            let head = &mut heads[(hash.wrapping_mul(0xc2b2_ae35) >> (32 - HASH_BITS)) as usize];
            earlier[at] = std::mem::replace(head, number(at));
            if best.0 < LONG {
                let near = [1, width].into_iter().filter(|&far| far <= at);
                let next = |from: usize| Some(earlier[from]).filter(|&from| from != NONE);
                let chain = std::iter::successors(next(at), |&from| next(from as usize));
                let chain = chain.map(|from| at - from as usize);
                for far in near.chain(chain.take(TRIES).take_while(|&far| far < FARTHEST)) {
                    let length = common(pixels, at, far, best.0);
                    if length > best.0 {
                        best = (length, far);
                    }
                    if length >= LONG {
                        break;
                    }
                }
            }
        }
        found.push((number(best.0), number(best.1)));
        last = best;
    }
    found
}

/// Number of pixels equal to those `far` before them; 0 for at most `least`.
#[inline(always)]
fn common(pixels: &[u32], at: usize, far: usize, least: usize) -> usize {
    let own = &pixels[at..pixels.len().min(at + LONGEST)];
    let earlier = &pixels[at - far..];
    if own.get(least) != earlier.get(least) {
        return 0;
    }
    own.iter().zip(earlier).take_while(|(a, b)| a == b).count()
}

/// Short codes of distances to nearby pixels: 0 for those without one.
pub(super) fn near_codes(width: usize) -> Vec<usize> {
    let mut near: Vec<(isize, usize)> = (0..8).flat_map(|y| (-7..9).map(move |x| (x, y))).collect();
    near.retain(|&(x, y)| y > 0 || x > 0);
    near.sort_by_key(|&(x, y)| (x.unsigned_abs().pow(2) + y * y, x.unsigned_abs(), x < 0));
    let mut codes = vec![0; 7 * width + 9];
    for (code, (x, y)) in (1..).zip(near) {
        let far = (y * width).checked_add_signed(x).filter(|&far| far > 0);
        if let Some(to @ 0) = far.map(|far| &mut codes[far]) {
            *to = code;
        }
    }
    codes
}

/// Pixels with everything that may represent them.
pub(super) struct Source<'a> {
    pub pixels: &'a [u32],
    pub cached: Option<&'a [Option<usize>]>,
    pub matches: &'a [(u32, u32)],
    pub near: &'a [usize],
}

impl Source<'_> {
    fn single(&self, at: usize) -> Token {
        let place = self.cached.and_then(|cached| cached[at]);
        place.map_or(Token::Literal(self.pixels[at]), Token::Cached)
    }

    fn code(&self, far: usize) -> usize {
        match self.near.get(far) {
            Some(&code) if code > 0 => code,
            _ => far + 120,
        }
    }

    /// Every pixel as a literal.
    pub(super) fn singles(&self) -> Vec<Token> {
        (0..self.pixels.len()).map(|at| self.single(at)).collect()
    }

    /// The cheapest tokens, with the costs of symbols after `counts`.
    pub(super) fn parse(&self, counts: &Counts) -> Vec<Token> {
        const PART: usize = 1 << 16;
        let prices = Prices::new(counts);
        let mut tokens = Vec::new();
        for start in (0..self.pixels.len()).step_by(PART) {
            let end = self.pixels.len().min(start + PART);
            // The minimum cost up to each pixel, and the token before it.
            let mut least = vec![(u32::MAX, Token::Cached(0)); end - start + 1];
            least[0].0 = 0;
            for at in start..end {
                let before = least[at - start].0;
                let single = self.single(at);
                offer(&mut least[at - start + 1], before + prices.of_single(single), single);
                let (length, far) = (self.matches[at].0 as usize, self.matches[at].1 as usize);
                let length = length.min(end - at);
                if length > 1 {
                    let code = self.code(far);
                    let before = before + prices.of_distance(code);
                    // The maximum length of each symbol.
                    for (&most, price) in LENGTHS.iter().zip(&prices.lengths) {
                        let length = length.min(most);
                        let to = &mut least[at - start + length];
                        offer(to, before + price, Token::Copy(length, code));
                        if length < most {
                            break;
                        }
                    }
                }
            }
            let mut back = Vec::new();
            let mut at = end - start;
            while at > 0 {
                back.push(least[at].1);
                at -= least[at].1.pixels();
            }
            tokens.extend(back.into_iter().rev());
        }
        tokens
    }
}

/// Records a way to encode up to a pixel if it is cheaper than the known one.
#[inline(always)]
fn offer(to: &mut (u32, Token), price: u32, token: Token) {
    if price < to.0 {
        *to = (price, token);
    }
}

/// The maximum length of each symbol.
const LENGTHS: [usize; 24] = [
    1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048,
    3072, 4096,
];

/// Prices of tokens.
struct Prices {
    symbols: [Vec<u32>; 5],
    /// By the symbol of a length.
    lengths: [u32; 24],
}

impl Prices {
    fn new(counts: &Counts) -> Self {
        let symbols = counts.0.each_ref().map(|counts| symbol_costs(counts));
        let price = |symbol: usize| symbols[0][256 + symbol] + prefix(LENGTHS[symbol]).2 * BIT;
        Self { lengths: core::array::from_fn(price), symbols }
    }

    #[inline(always)]
    fn of_single(&self, token: Token) -> u32 {
        token.symbols().map(|Symbol { code, symbol, .. }| self.symbols[code][symbol]).sum()
    }

    fn of_distance(&self, code: usize) -> u32 {
        let (symbol, _, extra) = prefix(code);
        self.symbols[4][symbol] + extra * BIT
    }
}
