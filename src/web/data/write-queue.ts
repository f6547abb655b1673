import { type MutationFunctionContext, type QueryClient, useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ask, askFor } from './ask.ts'
import type { Copies, Versioned } from './copies.ts'
import { ApiProblem, type SendOptions } from './send.ts'
import { createStore } from './store.ts'

/** The client whose copies a write replaces, as `useMutation` passes it. */
export type Writing = Pick<MutationFunctionContext, 'client'>

/** A change of a row as its reader has seen it. */
export type Edit<T, Change> = { readonly seen: T; readonly change: Change }

/** A conflict: somebody else has changed the row. `current` is the row as it is now. */
export class Stale<T> extends Error {
  readonly current: T

  constructor(current: T) {
    super('stale')
    this.current = current
  }
}

/** A write to show before it is stored: the row's id, and its change or deletion. */
export type Expected = { readonly id: string; readonly change: object | 'deleted' }

const expected = createStore<readonly Expected[]>([])

/** The writes to show before they are stored, in order. */
export const useExpected = expected.use

/** Shows writes however often the rows are read meanwhile. Returns the function that ends it. */
export function expectWrites(writes: readonly Expected[]): () => void {
  expected.set([...expected.get(), ...writes])
  return () => expected.set(expected.get().filter((one) => !writes.includes(one)))
}

/** Returns the rows as they will be if every expected write succeeds. */
export function withExpected<T extends { readonly id: string }>(
  rows: readonly T[],
  writes = expected.get(),
): readonly T[] {
  if (writes.length === 0) return rows
  return rows.flatMap((row) => {
    const changes = writes.filter(({ id }) => id === row.id).map(({ change }) => change)
    return changes.includes('deleted') ? [] : [Object.assign({}, row, ...changes) as T]
  })
}

/** The rows that writes under way will leave, by id. */
const underWay = new Map<string, Promise<unknown>>()

/**
 * Sends one write of a row at a time. `send` gets the row as the write before has left it and resolves to the row that it leaves; if
 * it rejects, the row stays as before. So a second change of the same row is no conflict with the first.
 */
export function inOrder<T extends Versioned>(row: T, send: (latest: T) => Promise<T>): Promise<T> {
  const before = (underWay.get(row.id) as Promise<T> | undefined) ?? Promise.resolve(row)
  const sent = before.then(send)
  const left = sent.catch(() => before)
  underWay.set(row.id, left)
  void left.finally(() => {
    if (underWay.get(row.id) === left) underWay.delete(row.id)
  })
  return sent
}

/** Sends a write in order, and shows its result until the service has answered. */
export async function atOnce<T extends Versioned>(
  row: T,
  change: object | 'deleted',
  send: (latest: T) => Promise<T>,
): Promise<T> {
  const settle = expectWrites([{ id: row.id, change }])
  try {
    return await inOrder(row, send)
  } finally {
    settle()
  }
}

/** The fields that must be unchanged for a write to be repeated, and the values that it sets; none for a deletion. */
type Basis = { readonly fields: readonly string[]; readonly change?: object }

/**
 * Writes a row as it was seen. If somebody else has changed other fields meanwhile, the write is repeated for the row as they have
 * left it. A row that already has the new values is returned as it is: an earlier request, whose response was lost, may have stored
 * them. Throws `Stale` if the same fields have been changed, and what `write` throws.
 */
export async function besideOthers<T extends object>(
  seen: T,
  basis: Basis,
  write: (seen: T) => Promise<T>,
): Promise<T> {
  const { fields, change } = basis
  try {
    return await write(seen)
  } catch (error) {
    if (!(error instanceof Stale)) throw error
    const { current } = error as Stale<T>
    if (change && isSameIn(Object.keys(change), change, current)) return current
    if (!isSameIn(fields, current, seen)) throw error
    return besideOthers(current, basis, write)
  }
}

/** Returns the fields of a row that people fill in. */
export function fieldsOf(row: object): readonly string[] {
  return Object.keys(row).filter((field) => field !== 'version' && field !== 'updated_at')
}

function isSameIn(fields: readonly string[], one: object, other: object): boolean {
  const of = (row: object) => fields.map((field) => (row as Readonly<Record<string, unknown>>)[field])
  return JSON.stringify(of(one)) === JSON.stringify(of(other))
}

/** The keys of the requests without a response, by their content: the service may have executed them. */
const unanswered = new Map<string, string>()

/**
 * Posts a request under an idempotency key. The same content keeps its key until it succeeds, so that it is executed once, however
 * often it is sent; a refused request stores nothing under its key. Throws `ApiProblem` or `Unreachable`.
 */
export async function askOnce(path: string, body: unknown): Promise<Response> {
  const content = `${path} ${JSON.stringify(body)}`
  const key = unanswered.get(content) ?? crypto.randomUUID()
  unanswered.set(content, key)
  const answer = await ask(path, { method: 'POST', body, headers: { 'idempotency-key': key } })
  unanswered.delete(content)
  return answer
}

/** Whether a response is that of an earlier request, after which the row may have changed. */
export function isReplayed({ headers }: Response): boolean {
  return headers.has('idempotency-replayed')
}

/**
 * Returns the function that creates a resource from a body and resolves to its row; to its current row if an earlier request whose
 * response was lost has created it. It throws `ApiProblem` or `Unreachable`.
 */
export function creating<T extends { readonly id: string }, Body>(copies: Copies<T>) {
  return async (body: Body, { client }: Writing): Promise<T> => {
    const answer = await askOnce(copies.path, body)
    const made: T = await answer.json()
    const row = isReplayed(answer) ? await askFor<T>(`${copies.path}/${made.id}`) : made
    await copies.store(client, row)
    return row
  }
}

/** The parts of the copies that a change needs. */
type Changed<T> = Pick<Copies<T>, 'path' | 'isSingle' | 'store'>

/** Returns the function that changes a resource and resolves to its new row. It throws `Stale`, `ApiProblem` or `Unreachable`. */
export function changing<T extends Versioned, Change>(copies: Changed<T>) {
  return async ({ seen, change }: Edit<T, Change>, { client }: Writing): Promise<T> => {
    const answer = await askUnchanged(client, copies, seen, { method: 'PATCH', body: change })
    const row: T = await answer.json()
    await copies.store(client, row)
    return row
  }
}

/**
 * Returns the function that deletes a resource as it was seen and resolves to that row. It throws `Stale`, `ApiProblem` or
 * `Unreachable`.
 */
export function deleting<T extends Versioned>(copies: Copies<T>) {
  return async (seen: T, { client }: Writing): Promise<T> => {
    await askUnchanged(client, copies, seen, { method: 'DELETE' })
    await copies.drop(client, seen.id)
    return seen
  }
}

/** Sends a request with the row's version as `If-Match`. If it is stale, stores the current row and throws it as `Stale`. */
async function askUnchanged<T extends Versioned>(
  client: QueryClient,
  { path, isSingle, store }: Changed<T>,
  seen: T,
  options: SendOptions,
): Promise<Response> {
  const address = isSingle ? path : `${path}/${seen.id}`
  try {
    return await ask(address, { ...options, headers: { 'if-match': `"${seen.version}"` } })
  } catch (error) {
    if (!(error instanceof ApiProblem && error.is('stale'))) throw error
    const current = await askFor<T>(address)
    void store(client, current)
    throw new Stale(current)
  }
}

type Save<T, Saved extends T, Form> = {
  readonly write: (form: Form, seen: T, writing: Writing) => Promise<Saved>
  readonly onSaved: (saved: Saved, form: Form, seen: T) => void
}

/**
 * Saves a form that edits a row, one save at a time. After a `Stale`, `theirs` is the row as somebody else has left it, and the next
 * `save` edits that one unless another is given.
 */
export function useEdit<T, Saved extends T, Form>(row: T, { write, onSaved }: Save<T, Saved, Form>) {
  const [{ seen, theirs }, setRow] = useState<{ seen: T; theirs?: T }>({ seen: row })
  const isSent = useRef(false)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: ({ form, base }: { form: Form; base: T }, writing) => write(form, base, writing),
    onSuccess: (saved, { form, base }) => {
      setRow({ seen: saved })
      onSaved(saved, form, base)
    },
    onError: (failure, { base }) =>
      setRow({ seen: base, ...(failure instanceof Stale && { theirs: failure.current as T }) }),
    onSettled: () => {
      isSent.current = false
    },
  })
  const save = (form: Form, base = theirs ?? seen) => {
    // A second click may come before the page is drawn again.
    if (isSent.current) return
    isSent.current = true
    mutate({ form, base })
  }
  const take = (current: T) => {
    setRow({ seen: current })
    reset()
  }
  return { seen, theirs, error, isBusy: isPending, save, take, reset }
}
