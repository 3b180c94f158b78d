"""Counts lines of code in src and crates: no tests, no comments, no blank lines; bodies of macros and generated code count.

    python3 tools/count_lines.py [COMMIT]      of a commit; without one of the working tree
"""

import re
import subprocess
import sys
from pathlib import Path

TOKEN = re.compile(
    r'''(?P<line>//[^\n]*)
      | (?P<block>/\*)
      | (?P<raw>\bb?c?r(?P<hash>\#*)".*?"(?P=hash))
      | (?P<string>\bb?c?"(?:\\.|[^"\\])*"|"(?:\\.|[^"\\])*")
      | (?P<char>b?'(?:\\(?:u\{[0-9a-fA-F_]+\}|x[0-9a-fA-F]{2}|.)|[^'\\])')''',
    re.VERBOSE | re.DOTALL,
)


def without_comments(text):
    """The text with comments blanked, and with letters of strings as `x`, so that brackets can be counted."""
    out, at = [], 0
    while match := TOKEN.search(text, at):
        out.append(text[at:match.start()])
        end = match.end()
        if match['block']:
            depth = 1
            while depth:
                step = re.compile(r'/\*|\*/').search(text, end)
                if step is None:
                    end = len(text)
                    break
                depth += 1 if step[0] == '/*' else -1
                end = step.end()
        is_comment = match['line'] is not None or match['block'] is not None
        out.append(''.join('\n' if letter == '\n' else ' ' if is_comment else 'x' for letter in text[match.start():end]))
        at = end
    return ''.join(out) + text[at:]


def without_tests(text):
    """The text without items for tests alone, and the names of modules for tests in files of their own."""
    files = []
    while match := re.search(r'#\[cfg\((?:test|all\(test[^\]]*)\)\]', text):
        at, depth = match.end(), 0
        while at < len(text):
            letter = text[at]
            depth += letter in '([{'
            depth -= letter in ')]}'
            at += 1
            # The end of an item: its braces, or its semicolon; attributes between are brackets.
            if depth == 0 and (letter == ';' or letter == '}' and text[at - 1] == '}') or depth < 0 or depth == 0 and letter == ',':
                break
        item = text[match.end():at]
        files += re.findall(r'\bmod (\w+);', item)
        text = text[:match.start()] + '\n' * item.count('\n') + text[at:]
    return text, files


def sources(commit):
    """The Rust files of src and crates with their texts."""
    if commit is None:
        names = subprocess.run(['git', 'ls-files', 'src', 'crates'], capture_output=True, text=True, check=True).stdout.split('\n')
        return {name: Path(name).read_text(encoding='utf-8') for name in names if name.endswith('.rs') and Path(name).exists()}
    names = subprocess.run(['git', 'ls-tree', '-r', '--name-only', commit, 'src', 'crates'], capture_output=True, text=True, check=True).stdout.split('\n')
    names = [name for name in names if name.endswith('.rs')]
    batch = subprocess.run(['git', 'cat-file', '--batch'], input='\n'.join(f'{commit}:{name}' for name in names).encode(), capture_output=True, check=True).stdout
    texts, at = {}, 0
    for name in names:
        head, at = batch[at:batch.index(b'\n', at)], batch.index(b'\n', at) + 1
        size = int(head.split()[2])
        texts[name] = batch[at:at + size].decode()
        at += size + 1
    return texts


def main():
    texts = sources(sys.argv[1] if len(sys.argv) > 1 else None)
    kept, tests = {}, set()
    for name, text in texts.items():
        text, files = without_tests(without_comments(text))
        kept[name] = text
        folder = Path(name).parent if Path(name).name in ('mod.rs', 'lib.rs', 'main.rs') else Path(name).with_suffix('')
        for file in files:
            tests |= {str(folder / f'{file}.rs'), str(folder / file) + '/'}
    total, rooms, short = 0, {}, 0
    for name, text in sorted(kept.items()):
        if name in tests or any(name.startswith(one) for one in tests if one.endswith('/')) or '/tests/' in name or name.endswith('/tests.rs'):
            continue
        count = sum(1 for line in text.split('\n') if line.strip())
        room = name.split('/')[1] if name.startswith('crates/') else 'src'
        files, lines = rooms.get(room, (0, 0))
        rooms[room] = (files + 1, lines + count)
        total += count
        short += count <= 10
    for room, (files, lines) in sorted(rooms.items()):
        print(f'{room:<10} {files:>4} files {lines:>7} lines')
    print(f'{"all":<10} {sum(files for files, _ in rooms.values()):>4} files {total:>7} lines, {short} files of ten lines or fewer')


if __name__ == '__main__':
    main()
