/**
 * Builds the client: generates the operations and types from the description of the service, adds the addresses that
 * take an `Idempotency-Key`, and compiles. The generated part is never stored, so it cannot differ from the service.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'

type Description = {
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly examples?: readonly unknown[] }>>
  }
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly { readonly name: string }[] }>>>
  >
}

const folder = import.meta.dirname
const root = join(folder, '../..')
const description = join(root, 'dist/openapi.json')
const generated = join(folder, 'src/generated')
/** Says what the last build was made of: it takes ten seconds of processor, and the checks and tests need it one after another. */
const stamp = join(folder, 'dist/.made-of')

execFileSync(process.execPath, [join(root, 'bin/fahrplan.js'), 'openapi', '--out', description])
const made = hashOfSources()
if (existsSync(stamp) && readFileSync(stamp, 'utf8') === made) process.exit(0)
rmSync(generated, { recursive: true, force: true })
await createClient({
  input: description,
  output: { path: generated, module: { extension: '.ts' }, entryFile: false },
  logs: { level: 'warn', file: false },
  plugins: [
    { name: '@hey-api/client-fetch', throwOnError: true },
    '@hey-api/typescript',
    { name: '@hey-api/sdk', responseStyle: 'data', auth: false },
  ],
})

const { paths, components } = JSON.parse(readFileSync(description, 'utf8')) as Description
const keyed = Object.entries(paths).flatMap(([path, { post }]) =>
  post?.parameters?.some(({ name }) => name === 'idempotency-key') ? [path] : [],
)
write(
  'keyed.gen.ts',
  `/** The addresses whose POST takes an \`Idempotency-Key\`. */
export const TAKES_A_KEY: ReadonlySet<string> = new Set(${JSON.stringify(keyed, null, 2)})`,
)

const examples = Object.entries(components.schemas).flatMap(([name, { examples: those = [] }]) =>
  those.map((one, index) => `export const ${name}${index}: types.${name} = ${JSON.stringify(one, null, 2)}`),
)
write('examples.gen.ts', ["import type * as types from './types.gen.ts'", ...examples].join('\n\n'))

rmSync(join(folder, 'dist'), { recursive: true, force: true })
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.json')], { stdio: 'inherit' })

// The examples of the description, and the scripts of the documentation, against what has just been compiled.
execFileSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.examples.json')], { stdio: 'inherit' })

writeFileSync(stamp, made)

/** Returns a hash of the description, of everything written by hand here, and of the versions of the tools. */
function hashOfSources(): string {
  const own = globSync(['*.ts', '*.json', 'src/*.ts', 'examples/*.ts'], { cwd: folder }).toSorted()
  const files = [description, join(root, 'package-lock.json'), ...own.map((path) => join(folder, path))]
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

function write(name: string, text: string): void {
  writeFileSync(join(generated, name), `${text}\n`)
}
