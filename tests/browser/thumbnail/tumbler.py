# Asks Xfce's thumbnailer for pictures of files, as a file manager does, and says what it answers; see README.md of the tests.
import pathlib, sys
import gi
from gi.repository import Gio, GLib

NAME, PATH = "org.freedesktop.thumbnails.Thumbnailer1", "/org/freedesktop/thumbnails/Thumbnailer1"
flavor, files = sys.argv[1], [pathlib.Path(name).resolve() for name in sys.argv[2:]]
kinds = [Gio.File.new_for_path(str(f)).query_info("standard::content-type", 0, None).get_content_type() for f in files]
bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
proxy = Gio.DBusProxy.new_sync(bus, 0, None, NAME, PATH, NAME, None)
loop, failed = GLib.MainLoop(), []

def heard(_, __, signal, values):
    print(signal, values.unpack())
    if signal == "Error":
        failed.append(values.unpack())
    if signal == "Finished":
        loop.quit()

proxy.connect("g-signal", heard)
uris = [f.as_uri() for f in files]
proxy.call_sync("Queue", GLib.Variant("(asasssu)", (uris, kinds, flavor, "foreground", 0)), 0, -1, None)
GLib.timeout_add_seconds(60, loop.quit)
loop.run()
sys.exit(1 if failed else 0)
