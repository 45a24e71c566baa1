//! What does the operating system do for us that the standard library has no safe call for?
//!
//! The only unsafe code outside [`crate::litert`].

use std::{fs::File, io};

use memmap2::Mmap;

/// Maps a whole file for reading. An empty file gives an empty slice.
pub fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is only read. A file that somebody else shortens meanwhile ends the process with SIGBUS
    // instead of giving wrong data; graphs and tensors are written once and renamed into place, never shortened.
    unsafe { Mmap::map(file) }
}

/// Kills the process group `group`, leader and children. A group that is already gone is no error.
pub fn kill_group(group: u32) -> io::Result<()> {
    let Ok(group) = libc::pid_t::try_from(group) else {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    };
    if group <= 1 {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    // SAFETY: a system call on plain integers. Groups 0 and 1, which would mean our own and everybody's, are refused above.
    if unsafe { libc::killpg(group, libc::SIGKILL) } == 0 {
        return Ok(());
    }
    match io::Error::last_os_error() {
        gone if gone.raw_os_error() == Some(libc::ESRCH) => Ok(()),
        error => Err(error),
    }
}

/// Ends the process at once: no destructors, no exit handlers. For an agent whose host is gone while a runtime call hangs.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: _exit takes an integer, touches no memory of ours and does not return.
    unsafe { libc::_exit(code) }
}
