//! How are the errors distributed, as a chart?

use std::{collections::BTreeMap, fmt};

use plotters::prelude::{
    BLUE, ChartBuilder, Color, IntoDrawingArea, IntoFont, IntoLogRange, Rectangle, SVGBackend, WHITE,
};

use super::{Comparison, ScoreError, check_lengths, sparse::Errors};

/// Why there is no chart.
#[derive(Debug, thiserror::Error)]
pub enum ChartError {
    #[error(transparent)]
    Score(#[from] ScoreError),
    #[error("\"{0}\" has no error that could be drawn")]
    NoError(String),
    #[error("the chart cannot be drawn: {0}")]
    Draw(String),
}

/// Bars for each factor of ten.
const BARS: f64 = 10.0;

/// Counts of |a - r| by size, both on logarithmic axes, as SVG. Elements without error are named in the title.
pub fn histogram(comparison: &Comparison<'_>) -> Result<String, ChartError> {
    check_lengths(comparison)?;
    let (mut bars, mut equal, mut nonfinite) = (BTreeMap::<i32, u64>::new(), 0u64, 0u64);
    comparison.pair().each_block(&mut |squared| {
        for &error in squared {
            match error {
                0.0 => equal += 1,
                error if error.is_finite() => {
                    *bars.entry((error.log10() / 2.0 * BARS).floor() as i32).or_default() += 1
                }
                _ => nonfinite += 1,
            }
        }
    });
    let (Some((&first, _)), Some((&last, _))) = (bars.first_key_value(), bars.last_key_value()) else {
        return Err(ChartError::NoError(comparison.output.to_owned()));
    };
    let most = bars.values().copied().max().unwrap_or(1);
    let title = format!(
        "{}: absolute error ({equal} elements without, {nonfinite} not finite)",
        comparison.output
    );
    let mut svg = String::new();
    let draw = |error: &dyn fmt::Display| ChartError::Draw(error.to_string());
    {
        let area = SVGBackend::with_string(&mut svg, (800, 420)).into_drawing_area();
        area.fill(&WHITE).map_err(|error| draw(&error))?;
        let edge = |bar: i32| 10f64.powf(f64::from(bar) / BARS);
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 16).into_font())
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(64)
            .build_cartesian_2d(
                (edge(first)..edge(last + 1)).log_scale(),
                (0.7..most as f64 * 1.5).log_scale(),
            )
            .map_err(|error| draw(&error))?;
        chart
            .configure_mesh()
            .x_desc("|output - reference|")
            .y_desc("elements")
            .x_label_formatter(&|x| format!("{x:.0e}"))
            .y_label_formatter(&|y| format!("{y:.0}"))
            .draw()
            .map_err(|error| draw(&error))?;
        let rectangles = bars.iter().map(|(&bar, &count)| {
            Rectangle::new(
                [(edge(bar), 0.7), (edge(bar + 1), count as f64)],
                BLUE.mix(0.6).filled(),
            )
        });
        chart.draw_series(rectangles).map_err(|error| draw(&error))?;
        area.present().map_err(|error| draw(&error))?;
    }
    Ok(svg)
}
