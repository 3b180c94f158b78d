//! Files that let file managers show thumbnails of models: a thumbnailer entry and MIME types.

use crate::console::Console;
use crate::failure::Failure;
use std::path::Path;
use tintype_base::path::ShowPath;
use tintype_host::write_atomic;

/// Both files, by their paths below a data folder such as `/usr/share`.
pub(super) const FILES: [(&str, &str); 2] = [
    ("thumbnailers/tintype.thumbnailer", include_str!("desktop/tintype.thumbnailer")),
    ("mime/packages/tintype.xml", include_str!("desktop/tintype.xml")),
];

/// Writes them below a folder.
pub(super) fn install(folder: &Path, console: &Console) -> Result<(), Failure> {
    for (place, text) in FILES {
        let path = folder.join(place);
        write_atomic(&path, text.as_bytes()).map_err(|error| Failure::output(&error))?;
        console.info(&format!("wrote {}", path.shown()));
    }
    console.info(&format!(
        "now run `update-mime-database {}`; tintype must be in a folder that file managers allow for thumbnailers, such as /usr/bin",
        folder.join("mime").shown()
    ));
    Ok(())
}
