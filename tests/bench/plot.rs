//! Small multiples as SVG: panels side by side, both axes logarithmic, every line named where it
//! ends.
//!
//! Input: numbers. Output: an SVG that suits light and dark pages. Nothing is measured here.
#![allow(dead_code, reason = "each bench uses a part")]

use std::fmt::Write;

/// Width and height of a panel with its margins, in units of the picture.
const PANEL: [f64; 2] = [330.0, 250.0];
/// Margins: left, top, right, bottom.
const MARGIN: [f64; 4] = [46.0, 42.0, 58.0, 42.0];
/// Height of the heading, and of a line of text below the panels.
const HEAD: f64 = 50.0;
const LINE: f64 = 17.0;
const COLORS: [&str; 4] = ["#1f5fa8", "#c2410c", "#2f7d4f", "#7a3fa0"];

/// A line through points.
pub(crate) struct Series {
    /// Written at its end.
    pub name: String,
    /// `[x, y]`, both above 0, `x` rising.
    pub points: Vec<[f64; 2]>,
    /// Dots that are joined, or a plain dashed line.
    pub is_guide: bool,
    /// True to write the first value beside its dot.
    pub tells_first: bool,
}

/// One plot.
pub(crate) struct Panel {
    pub title: String,
    /// Below the axis.
    pub x_label: String,
    /// Labels of the axis: value and text.
    pub ticks: Vec<(f64, String)>,
    pub series: Vec<Series>,
}

/// A human-readable number: `1.5`, `20`, `1k`, `2M`.
pub(crate) fn short(value: f64) -> String {
    let (value, unit) = match value {
        large if large >= 999_500.0 => (value / 1e6, "M"),
        large if large >= 999.5 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let digits = match value {
        large if large >= 10.0 => 0,
        middle if middle >= 0.95 => usize::from((value - value.round()).abs() > 0.05),
        _ => 2,
    };
    format!("{value:.digits$}{unit}")
}

/// All panels, `columns` in a row, below a title and above notes; `y_label` applies to all of them.
pub(crate) fn page(
    title: &str,
    y_label: &str,
    notes: &[String],
    columns: usize,
    panels: &[Panel],
) -> String {
    let rows = panels.len().div_ceil(columns);
    let width = PANEL[0] * columns as f64;
    let below = HEAD + PANEL[1] * rows as f64;
    let height = below + LINE * notes.len() as f64 + 12.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#333\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"14\" y=\"24\" font-size=\"17\" font-weight=\"600\">{}</text>\n\
         <text x=\"14\" y=\"42\" fill=\"#666\">{}</text>\n",
        escaped(title),
        escaped(y_label)
    );
    for (index, panel) in panels.iter().enumerate() {
        let (column, row) = (index % columns, index / columns);
        let (x, y) = (PANEL[0] * column as f64, HEAD + PANEL[1] * row as f64);
        let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">");
        draw(panel, &mut svg);
        svg.push_str("</g>\n");
    }
    for (index, note) in notes.iter().enumerate() {
        let y = below + LINE * (index as f64 + 0.7);
        let _ = writeln!(svg, "<text x=\"14\" y=\"{y:.1}\" fill=\"#666\">{}</text>", escaped(note));
    }
    svg + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A logarithmic axis from one end of the picture to the other.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, room: f64, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, 0.0);
        for value in values {
            if value < low {
                low = value;
            }
            if value > high {
                high = value;
            }
        }
        Self { low: libm::log2(low) - room, high: libm::log2(high) + room, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (libm::log2(value) - self.low) / (self.high - self.low);
        self.from + (self.to - self.from) * share
    }

    /// 1, 2, 5, 10 ... within, or only powers of ten if there would be many.
    fn ticks(&self) -> Vec<f64> {
        let steps: &[f64] = if self.high - self.low > 8.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let mut ticks = Vec::new();
        let mut decade = 1e-6;
        while decade < 1e12 {
            ticks.extend(steps.iter().map(|step| step * decade));
            decade *= 10.0;
        }
        ticks.retain(|&tick| (self.low..=self.high).contains(&libm::log2(tick)));
        ticks
    }
}

fn draw(panel: &Panel, svg: &mut String) {
    let [left, top, right, bottom] = MARGIN;
    let (right, bottom) = (PANEL[0] - right, PANEL[1] - bottom);
    let all = || panel.series.iter().flat_map(|series| &series.points);
    let across = Axis::new(all().map(|point| point[0]), 0.1, left, right);
    let up = Axis::new(all().map(|point| point[1]), 0.35, bottom, top);
    let _ = writeln!(
        svg,
        "<text x=\"{left}\" y=\"{}\" font-weight=\"600\">{}</text>",
        top - 12.0,
        escaped(&panel.title)
    );
    for tick in up.ticks() {
        let y = up.place(tick);
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#e4e4e4\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#666\">{}</text>",
            left - 6.0,
            y + 4.0,
            short(tick)
        );
    }
    for (value, text) in &panel.ticks {
        let x = across.place(*value);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {bottom}v4\" stroke=\"#999\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#666\">{}</text>",
            bottom + 17.0,
            escaped(text)
        );
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{left} {bottom}H{right}\" stroke=\"#999\"/>\
         <text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        (left + right) * 0.5,
        bottom + 34.0,
        escaped(&panel.x_label)
    );
    let mut ends: Vec<f64> = Vec::new();
    let mut color = COLORS.iter().cycle();
    for series in &panel.series {
        let stroke = if series.is_guide { "#999" } else { color.next().unwrap_or(&"#333") };
        let mut path = String::new();
        for (index, point) in series.points.iter().enumerate() {
            let (x, y) = (across.place(point[0]), up.place(point[1]));
            let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
            if !series.is_guide {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{stroke}\"><title>{} at {}</title></circle>",
                    short(point[1]),
                    short(point[0])
                );
            }
        }
        let dashes = if series.is_guide { " stroke-dasharray=\"4 4\"" } else { "" };
        let wide = if series.is_guide { 1.0 } else { 1.8 };
        let _ = writeln!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{wide}\"{dashes}/>"
        );
        let (Some(first), Some(last)) = (series.points.first(), series.points.last()) else {
            continue;
        };
        if series.tells_first {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" fill=\"{stroke}\">{}</text>",
                across.place(first[0]) - 4.0,
                up.place(first[1]) - 9.0,
                short(first[1])
            );
        }
        // Names that would lie over one another move apart.
        let mut y = up.place(last[1]) + 4.0;
        while let Some(other) = ends.iter().find(|&&other| (other - y).abs() < 13.0) {
            y = other - 13.5;
        }
        ends.push(y);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{y:.1}\" font-size=\"11\" fill=\"{stroke}\">{}</text>",
            across.place(last[0]) + 7.0,
            escaped(&series.name)
        );
    }
}
