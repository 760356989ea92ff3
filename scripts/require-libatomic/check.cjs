/** npm runs this on the machine's own Node, before every script that needs the bundled one. */

const library = 'libatomic.so.1';

try {
  process.dlopen({ exports: {} }, library);
} catch (error) {
  // A library that is there fails too, as it is no add-on. Other systems than Linux with glibc word it differently.
  if (error.message.startsWith(`${library}: cannot open shared object file`)) {
    process.stderr.write(
      `The bundled Node needs the library ${library}, which this machine lacks. Install it, then run the command again: ` +
        'apt-get install libatomic1 (Debian, Ubuntu) or dnf install libatomic (Fedora).\n',
    );
    process.exitCode = 1;
  }
}
