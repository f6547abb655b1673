import { ask } from '../session/ask.ts'
import { ApiProblem, type Question } from '../session/send.ts'

type Stored = { readonly id: string; readonly updated_at: string }
type Version = { readonly etag: string; readonly updated_at: string }

const versions = new Map<string, Version>()

/** What was to be changed has been changed by somebody else; `current` is how it stands now. */
export class Stale<T> extends Error {
  readonly current: T

  constructor(current: T) {
    super('stale')
    this.current = current
  }
}

/** Sends a change or deletion of what the reader has seen, and nothing newer. Throws `Stale`. */
export async function askUnchanged<T extends Stored>(
  path: string,
  seen: T,
  question: Question,
): Promise<Response> {
  const etag = await versionOf(path, seen)
  try {
    return await ask(path, { ...question, headers: { 'if-match': etag } })
  } catch (error) {
    if (!(error instanceof ApiProblem && error.is('stale'))) throw error
    throw new Stale(await readVersioned<T>(path))
  }
}

/** Reads a resource and notes its version. */
export async function readVersioned<T extends Stored>(path: string): Promise<T> {
  return versioned(await ask(path))
}

/** The resource of an answer, its version noted. */
export async function versioned<T extends Stored>(answer: Response): Promise<T> {
  const resource: T = await answer.json()
  const etag = answer.headers.get('etag')
  if (etag) versions.set(resource.id, { etag, updated_at: resource.updated_at })
  return resource
}

export function forgetVersions(): void {
  versions.clear()
}

/** Lists carry no versions: one that is not known yet is read, and compared with what was seen. */
async function versionOf<T extends Stored>(path: string, seen: T): Promise<string> {
  const known = versions.get(seen.id)
  if (known?.updated_at === seen.updated_at) return known.etag
  const current = await readVersioned<T>(path)
  if (current.updated_at !== seen.updated_at) throw new Stale(current)
  return versions.get(seen.id)?.etag ?? '*'
}
