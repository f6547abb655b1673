import { createHash } from 'node:crypto'
import { createWriteStream, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Header, Pax } from 'tar'

/** One file, folder or link of an archive. */
export type Entry = {
  readonly path: string
  readonly type: 'File' | 'Directory' | 'SymbolicLink'
  readonly mode: number
  /** The number of its user and group; root's if absent. */
  readonly owner?: number
  readonly target?: string
  readonly read?: () => Buffer
}

const BLOCK = 512
/** GNU tar writes whole records of this size. */
const RECORD = 20 * BLOCK

/**
 * Returns the entries below a folder, under a path in the archive. Their modes say only whether a file is a program: the others depend on
 * the umask.
 */
export function entriesOf(folder: string, path: string): Entry[] {
  const stat = lstatSync(folder)
  if (stat.isSymbolicLink())
    return [{ path, type: 'SymbolicLink', mode: 0o777, target: readlinkSync(folder) }]
  if (stat.isFile())
    return [{ path, type: 'File', mode: stat.mode & 0o100 ? 0o755 : 0o644, read: () => readFileSync(folder) }]
  const below = readdirSync(folder).flatMap((name) => entriesOf(join(folder, name), `${path}/${name}`))
  return [folderEntry(path), ...below]
}

export function folderEntry(path: string, mode = 0o755, owner = 0): Entry {
  return { path, type: 'Directory', mode, owner }
}

export function fileEntry(path: string, text: string): Entry {
  return { path, type: 'File', mode: 0o644, read: () => Buffer.from(text) }
}

/**
 * Yields an archive in the format of POSIX (ustar, with pax headers for long paths). Its bytes depend on the entries and the time
 * alone: not on their order, nor on the machine's users, clock and umask.
 */
export function* tarOf(entries: readonly Entry[], time: Date): Generator<Buffer> {
  let length = 0
  const counted = (buffer: Buffer) => {
    length += buffer.length
    return buffer
  }
  for (const { read, ...entry } of entries.toSorted(byPath)) {
    const content = read?.() ?? Buffer.alloc(0)
    yield counted(headerOf(entry, content.length, time))
    yield counted(content)
    yield counted(Buffer.alloc(padding(content.length, BLOCK)))
  }
  yield counted(Buffer.alloc(2 * BLOCK))
  yield Buffer.alloc(padding(length, RECORD))
}

/** The SHA-256 digests of an archive as it was written, and before it was compressed. */
export type Written = { readonly digest: string; readonly unpacked: string; readonly size: number }

/** Writes an archive, compressed unless `plain`. Node writes gzip's header without a name and a time. */
export async function writeTar(
  file: string,
  entries: readonly Entry[],
  { time, plain = false }: { readonly time: Date; readonly plain?: boolean },
): Promise<Written> {
  const [unpacked, digest] = [createHash('sha256'), createHash('sha256')]
  let size = 0
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      digest.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  const tar = function* () {
    for (const chunk of tarOf(entries, time)) {
      unpacked.update(chunk)
      yield chunk
    }
  }
  await pipeline(
    Readable.from(tar()),
    plain ? new PassThrough() : createGzip(),
    hashed,
    createWriteStream(file),
  )
  return { digest: digest.digest('hex'), unpacked: unpacked.digest('hex'), size }
}

function headerOf(
  { path, type, mode, owner = 0, target }: Omit<Entry, 'read'>,
  size: number,
  mtime: Date,
): Buffer {
  const data = {
    path: type === 'Directory' ? `${path}/` : path,
    type,
    mode,
    uid: owner,
    gid: owner,
    size,
    mtime,
    linkpath: target ?? '',
    uname: '',
    gname: '',
  }
  const block = Buffer.alloc(BLOCK)
  const header = new Header(data)
  if (!header.encode(block, 0)) return block
  const pax = new Pax({ path: data.path, linkpath: target, mtime, uid: owner, gid: owner })
  return Buffer.concat([pax.encode(), block])
}

function padding(length: number, unit: number): number {
  return (unit - (length % unit)) % unit
}

/** Compares by the bytes of the path, as no locale changes them. A folder comes before what it holds. */
function byPath(a: Entry, b: Entry): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))
}
