/**
 * Packs the release of the checkout that it is in: builds it, installs the packages of production apart, and writes the tarball, the image, the
 * bill of materials and `SHA256SUMS`. Called by `build/release.ts` with a folder for its work, one for the release, and a mirror of Debian; without
 * the mirror it leaves out the image. `SOURCE_DATE_EPOCH` is the time of all files.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeTar } from './archive.ts'
import { baseEntries } from './base.ts'
import { writeImage } from './image.ts'
import { programEntries } from './program.ts'
import { writeSums } from './sums.ts'

const CHECKOUT = join(import.meta.dirname, '../..')
const [scratch = '', out = '', mirror] = process.argv.slice(2)
const time = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1_000)
const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'))
const name = `fahrplan-${version}`

const packages = join(scratch, 'packages')
mkdirSync(packages, { recursive: true })
for (const script of ['build', 'sbom']) npm(CHECKOUT, 'run', '--silent', script)
for (const file of ['package.json', 'package-lock.json', '.npmrc', 'clients/typescript/package.json'])
  cpSync(join(CHECKOUT, file), join(packages, file))
npm(packages, 'ci', '--omit=dev', '--ignore-scripts', '--os=linux', '--cpu=x64', '--libc=glibc')

await writeTar(join(out, `${name}-linux-x64.tar.gz`), programEntries(CHECKOUT, packages, name), { time })
copyFileSync(join(CHECKOUT, 'dist/sbom.cdx.json'), join(out, `${name}.cdx.json`))
if (mirror) {
  const layers = [baseEntries(join(scratch, 'debian'), mirror), programEntries(CHECKOUT, packages, 'app')]
  const settings = { name: `fahrplan:${version}`, time, scratch: join(scratch, 'layers') }
  await writeImage(join(out, `${name}-image-linux-x64.tar`), layers, settings)
}
writeSums(out)

function npm(cwd: string, ...argv: string[]): void {
  execFileSync('npm', argv, { cwd, stdio: ['ignore', 2, 'inherit'] })
}
