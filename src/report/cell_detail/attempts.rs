//! How did one attempt go?

use super::{
    CapturedStderr,
    page::{Page, known},
};
use crate::{
    attempt::AttemptRecord,
    report::{
        Status,
        numbers::{ms, or_unknown, three_digits},
        text::counted,
        words::exit_words,
    },
};

pub(super) fn attempt(page: &mut Page, attempt: &AttemptRecord, stderr: Option<&CapturedStderr<'_>>) {
    let outcome = &attempt.outcome;
    let stage = outcome.stage.map(|stage| format!(" at {stage}")).unwrap_or_default();
    page.line(&format!(
        "attempt {} (repeat {}, try {}): {}{stage}",
        attempt.attempt,
        attempt.repeat,
        attempt.try_number,
        Status::from(outcome.status)
    ));
    page.line(&format!("  started {}, {}", attempt.started, ending(attempt)));
    if let Some(code) = outcome.code {
        page.line(&format!("  runtime status {code}"));
    }
    if let Some(message) = &outcome.message {
        page.line(&format!("  {message}"));
    }
    let measured = &attempt.measured;
    page.line(&format!(
        "  load {} ms, compile {} ms, first run {} ms, {}",
        ms(measured.load_ms),
        ms(measured.compile_ms),
        ms(measured.first_run_ms),
        counted(measured.samples_ns.len(), "sample")
    ));
    for output in &measured.outputs {
        let kept = output
            .file
            .as_ref()
            .map(|file| format!(", kept as {}", file.display()))
            .unwrap_or_default();
        page.line(&format!(
            "  output {} {}, SHA-256 {}{kept}",
            output.name, output.spec, output.sha256
        ));
    }
    let Some(stderr) = stderr else { return };
    page.line(&format!("  stderr ({}):", stderr.path));
    page.quote(stderr.text);
}

fn ending(attempt: &AttemptRecord) -> String {
    let Some(exit) = attempt.outcome.exit else {
        return "no process was started".to_owned();
    };
    let wall = or_unknown(attempt.wall_ms.map(|ms| format!("{} ms", three_digits(ms))));
    let how = exit_words(exit).unwrap_or_else(|| format!("exit code {}", known(exit.code)));
    format!("ended after {wall} with {how}")
}
