import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { DockerfileParser, type Env, type ModifiableInstruction } from 'dockerfile-ast';

/** One instruction of a Dockerfile, as far as a test without Docker executes it. */
export interface Step {
  keyword: string;
  /** Everything after keyword and flags, on one line. */
  text: string;
  words: string[];
  flags: Record<string, string>;
  variables: Record<string, string>;
}

export interface Stage {
  name: string;
  steps: Step[];
}

/** Returns the stages of a Dockerfile with their instructions. A stage without a name is named by its number. */
export function readStages(path: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(readFileSync(path, 'utf8')).getInstructions()) {
    const words = instruction.getArguments().map((argument) => argument.getValue());
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') {
      stages.push({ name: words[2] ?? String(stages.length), steps: [] });
      continue;
    }
    const flags = (instruction as Partial<ModifiableInstruction>).getFlags?.() ?? [];
    const variables = keyword === 'ENV' ? (instruction as Env).getProperties() : [];
    stages.at(-1)?.steps.push({
      keyword,
      words,
      text: instruction.getArgumentsContent() ?? '',
      flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
      variables: Object.fromEntries(variables.map((one) => [one.getName(), one.getValue() ?? ''])),
    });
  }
  return stages;
}

/** Returns all files below a folder, relative to it, without installed packages. */
function listFiles(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.name === 'node_modules' || entry.name === '.git') return [];
    return entry.isDirectory() ? listFiles(folder, path) : [path];
  });
}

/** Returns the files of the folder that `.dockerignore` lets into the build. The last pattern that matches decides. */
export function listContext(folder: string): string[] {
  const lines = readFileSync(join(folder, '.dockerignore'), 'utf8').split('\n');
  const patterns = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  return listFiles(folder).filter((path) => {
    const folders = path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'));
    const matches = (pattern: string) => pattern === '*' || folders.some((part) => matchesGlob(part, pattern));
    const last = patterns.findLast((pattern) => matches(pattern.replace(/^!/, '')));
    return last === undefined || last.startsWith('!');
  });
}
