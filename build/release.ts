/**
 * Builds a release from a tag: `npm run release -- v0.1.0`. Exports the tag into a new folder, installs its packages there and leaves
 * the rest to the tag's own `build/release/pack.ts`, so that the bytes depend on the tag alone. Prints the checksums, and signs them if
 * `--key` names a key for `ssh-keygen`. `--twice` builds it in two folders and compares. See docs/operations.md.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const SUMS = 'SHA256SUMS'
const ROOT = join(import.meta.dirname, '..')
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string', default: 'dist/release' },
      key: { type: 'string' },
      mirror: { type: 'string', default: 'http://deb.debian.org/debian' },
      'no-image': { type: 'boolean', default: false },
      twice: { type: 'boolean', default: false },
    },
  })
  const [tag] = positionals
  if (!tag) throw new Error('Name the tag: npm run release -- v0.1.0')
  const out = resolve(values.out)
  const image = values['no-image'] ? [] : [values.mirror]
  const sums = build(tag, out, image)
  if (values.twice) compare(sums, tag, out, image)
  if (values.key) sign(out, values.key)
  console.log(`${out}:\n${sums}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Builds the release of a tag into a folder, with an image if there is a mirror for it. Returns its checksums. */
function build(tag: string, out: string, image: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'fahrplan-release-'))
  try {
    const checkout = join(folder, 'checkout')
    mkdirSync(checkout)
    const ref = `refs/tags/${tag}^{commit}`
    const epoch = git('log', '-1', '--format=%ct', ref, '--').trim()
    execFileSync('tar', ['-x', '-C', checkout], { input: exported(ref) })
    const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'))
    if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, and its package.json has ${version}.`)
    const env = { ...process.env, SOURCE_DATE_EPOCH: epoch, NODE_ENV: '', NODE_PATH: '' }
    const run = (command: string, ...argv: string[]) =>
      execFileSync(command, argv, { cwd: checkout, env, stdio: ['ignore', 2, 'inherit'] })
    run('npm', 'ci', '--ignore-scripts')
    rmSync(out, { recursive: true, force: true })
    mkdirSync(out, { recursive: true })
    run('node_modules/.bin/node', 'build/release/pack.ts', join(folder, 'scratch'), out, ...image)
    return readFileSync(join(out, SUMS), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function git(...argv: string[]): string {
  return execFileSync('git', argv, { cwd: ROOT, encoding: 'utf8' })
}

function exported(ref: string): Buffer {
  return execFileSync('git', ['archive', ref], { cwd: ROOT, maxBuffer: 1024 ** 3 })
}

/** Builds a release again and throws if it has other bytes. */
function compare(sums: string, tag: string, out: string, image: readonly string[]): void {
  const again = build(tag, `${out}-again`, image)
  const differing = sums.split('\n').filter((line) => !again.split('\n').includes(line))
  if (differing.length > 0) throw new Error(`Not reproduced, see ${out}-again:\n${differing.join('\n')}`)
  rmSync(`${out}-again`, { recursive: true })
}

/** Writes `SHA256SUMS.sig`. */
function sign(folder: string, key: string): void {
  rmSync(join(folder, `${SUMS}.sig`), { force: true })
  const argv = ['-Y', 'sign', '-f', resolve(key), '-n', 'file', join(folder, SUMS)]
  execFileSync('ssh-keygen', argv, { stdio: ['inherit', 'ignore', 'inherit'] })
}
