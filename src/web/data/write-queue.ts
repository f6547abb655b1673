import { hashKey, type MutationFunctionContext, type QueryClient, useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Copies, Versioned } from './copies.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { showPendingWrites } from './pending-writes.ts'
import { ApiProblem, bodyOf, type SendOptions, Unreachable } from './send.ts'
import { untilCleared } from './store.ts'

/** The client whose copies a write replaces, as `useMutation` passes it. */
export type WriteContext = Pick<MutationFunctionContext, 'client'> & {
  /** The sets of changes so far: a write adds its own, by which it can be undone. */
  readonly sets?: string[]
}

/** Adds the set of changes that a response reports. A replayed response does not have the id of the set. */
export function recordSet(answer: Response, { sets }: WriteContext): void {
  const id = answer.headers.get('x-request-id')
  if (id !== null && !isReplayed(answer)) sets?.push(id)
}

/** A change, and the row that it is based on. */
export type Edit<T, Change> = { readonly seen: T; readonly change: Change }

/** The error if another user has changed the row. `current` is its present version. */
export class Stale<T> extends Error {
  readonly current: T

  constructor(current: T) {
    super('stale')
    this.current = current
  }
}

/** The result of the last queued write of each row, by id. */
const underWay = new Map<string, Promise<unknown>>()

/**
 * Sends one write per row at a time. `send` gets the row that the previous write returned, unchanged if it failed, and returns
 * the new row. Two changes of a row in this tab therefore never conflict. Throws `Unreachable` if the user has logged out meanwhile,
 * and as `send` does.
 */
export function queueWrite<T extends Versioned>(row: T, send: (latest: T) => Promise<T>): Promise<T> {
  const before = (underWay.get(row.id) as Promise<T> | undefined) ?? Promise.resolve(row)
  const isSameSession = untilCleared()
  const sent = before.then((latest) => {
    if (!isSameSession()) throw new Unreachable()
    return send(latest)
  })
  const left = sent.catch(() => before)
  underWay.set(row.id, left)
  void left.finally(() => {
    if (underWay.get(row.id) === left) underWay.delete(row.id)
  })
  return sent
}

/** Queues a write and shows its result until the service has responded. */
export async function queueOptimistically<T extends Versioned>(
  row: T,
  change: object | 'deleted',
  send: (latest: T) => Promise<T>,
): Promise<T> {
  const settle = showPendingWrites([{ id: row.id, change }])
  try {
    return await queueWrite(row, send)
  } finally {
    settle()
  }
}

/**
 * Writes a change. Returns the current row if it already has the new values, perhaps from a request whose response was lost.
 * Throws `Stale` otherwise, and as `write` does.
 */
export async function writeOnce<T extends object>(change: object, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof Stale)) throw error
    const { current } = error as Stale<T>
    if (!isSameIn(Object.keys(change), change, current)) throw error
    return current
  }
}

/** The fields that must be unchanged for a retry, and the new values; a deletion has none. */
type Basis = {
  readonly fields: readonly string[]
  readonly change?: object
  /** The changes of earlier attempts, which the service may have executed. */
  readonly tried?: readonly object[]
  /** Returns a row with the fields to compare, unless they are those of the row itself. */
  readonly comparable?: (row: object) => object
}

/**
 * Writes a row based on the version seen. If another user has changed only other fields, retries on the current row. Returns
 * the current row if it already has the new values, perhaps from a request whose response was lost. Throws `Stale` if one of
 * the same fields has another new value, and as `write` does.
 */
export async function mergeWrite<T extends object>(
  seen: T,
  basis: Basis,
  write: (seen: T) => Promise<T>,
): Promise<T> {
  const { fields, change, tried = [], comparable = (row) => row } = basis
  try {
    return await write(seen)
  } catch (error) {
    if (!(error instanceof Stale)) throw error
    const { current } = error as Stale<T>
    const [before, now] = [comparable(seen), comparable(current)]
    if (change && isSameIn(Object.keys(change), change, now)) return current
    const own = change ? [change, ...tried] : []
    const contested = fields.filter((field) => !own.some((written) => isSameIn([field], written, now)))
    if (!isSameIn(contested, now, before)) throw error
    return mergeWrite(current, basis, write)
  }
}

export function fieldsOf(row: object): readonly string[] {
  return Object.keys(row).filter((field) => field !== 'version' && field !== 'updated_at')
}

/** Whether two rows have the same values; a field that one of them lacks differs from null. The order of keys has no meaning. */
function isSameIn(fields: readonly string[], one: object, other: object): boolean {
  const valuesOf = (row: object) => Object.entries(row).filter(([name]) => fields.includes(name))
  const [mine, theirs] = [one, other].map((row) => hashKey([Object.fromEntries(valuesOf(row))]))
  return mine === theirs
}

/** The idempotency keys of requests without a response, by content: the service may have executed them. */
const unanswered = new Map<string, string>()

/**
 * Posts a request with an idempotency key. The same content keeps its key until a request succeeds, so retries execute it
 * once. Throws `ApiProblem` or `Unreachable`.
 */
export async function postOnce(path: string, body: unknown): Promise<Response> {
  const content = `${path} ${JSON.stringify(body)}`
  const key = unanswered.get(content) ?? crypto.randomUUID()
  unanswered.set(content, key)
  const answer = await fetchApi(path, { method: 'POST', body, headers: { 'idempotency-key': key } })
  // The body may still break off, and the request is then sent again.
  await bodyOf(answer.clone())
  unanswered.delete(content)
  return answer
}

/** Whether the response repeats that of an earlier request, since which the row may have changed. */
export function isReplayed({ headers }: Response): boolean {
  return headers.has('idempotency-replayed')
}

/**
 * Returns a function that creates a resource and resolves to its current row, even if an earlier request whose response was
 * lost has created it. It throws `ApiProblem` or `Unreachable`.
 */
export function creating<T extends { readonly id: string }, Body>(copies: Copies<T>) {
  return async (body: Body, writing: WriteContext): Promise<T> => {
    const answer = await postOnce(copies.path, body)
    const made: T = await bodyOf(answer)
    recordSet(answer, writing)
    const row = isReplayed(answer) ? await fetchJson<T>(`${copies.path}/${made.id}`) : made
    await copies.store(writing.client, row)
    return row
  }
}

type Changed<T> = Pick<Copies<T>, 'path' | 'isSingle' | 'store'> & {
  /** The path of changes, unless they are sent to `path`. */
  readonly writePath?: string
}

/** Returns a function that changes a resource and resolves to its new row. It throws `Stale`, `ApiProblem` or `Unreachable`. */
export function changing<T extends Versioned, Change>(copies: Changed<T>) {
  return ({ seen, change }: Edit<T, Change>, writing: WriteContext): Promise<T> =>
    sendChange(writing, copies, seen, { method: 'PATCH', body: change })
}

/** Returns a function that deletes an unchanged resource. It throws `Stale`, `ApiProblem` or `Unreachable`. */
export function deleting<T extends Versioned>(copies: Copies<T>) {
  return async (seen: T, writing: WriteContext): Promise<T> => {
    recordSet(await sendIfMatch(writing.client, copies, seen, { method: 'DELETE' }), writing)
    await copies.drop(writing.client, seen.id)
    return seen
  }
}

/** Sends a change with `If-Match` and stores the row that it returns. Throws `Stale`, `ApiProblem` or `Unreachable`. */
export async function sendChange<T extends Versioned>(
  writing: WriteContext,
  copies: Changed<T>,
  seen: T,
  options: SendOptions,
  rest?: string,
): Promise<T> {
  const answer = await sendIfMatch(writing.client, copies, seen, options, rest)
  const row: T = await bodyOf(answer)
  // A change without effect is not in the history.
  if (row.version !== seen.version) recordSet(answer, writing)
  await copies.store(writing.client, row)
  return row
}

/** Sends a request with `If-Match`. If it is stale, stores the current row and throws `Stale` with it. */
export async function sendIfMatch<T extends Versioned>(
  client: QueryClient,
  { path, isSingle, store, writePath = path }: Changed<T>,
  seen: T,
  options: SendOptions,
  /** The part of the path after the row's id. */
  rest = '',
): Promise<Response> {
  const below = isSingle ? '' : `/${seen.id}`
  try {
    return await fetchApi(writePath + below + rest, {
      ...options,
      headers: { 'if-match': `"${seen.version}"` },
    })
  } catch (error) {
    if (!(error instanceof ApiProblem && error.is('stale'))) throw error
    const current = await fetchJson<T>(path + below)
    void store(client, current)
    throw new Stale(current)
  }
}

type Save<T, Saved extends T, Form> = {
  readonly write: (form: Form, seen: T, writing: WriteContext) => Promise<Saved>
  readonly onSaved: (saved: Saved, form: Form, seen: T, sets: readonly string[]) => void
}

/** Saves a form, one save at a time. After a `Stale`, `theirs` is the current row, which the next `save` changes. */
export function useEdit<T, Saved extends T, Form>(row: T, { write, onSaved }: Save<T, Saved, Form>) {
  const [{ seen, theirs }, setRow] = useState<{ seen: T; theirs?: T }>({ seen: row })
  const isSent = useRef(false)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: async ({ form, base }: { form: Form; base: T }, { client }) => {
      const sets: string[] = []
      return { saved: await write(form, base, { client, sets }), sets }
    },
    onSuccess: ({ saved, sets }, { form, base }) => {
      setRow({ seen: saved })
      onSaved(saved, form, base, sets)
    },
    onError: (failure, { base }) =>
      setRow({ seen: base, ...(failure instanceof Stale && { theirs: failure.current as T }) }),
    onSettled: () => {
      isSent.current = false
    },
  })
  const save = (form: Form, base = theirs ?? seen) => {
    // A second click may come before the next render.
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
