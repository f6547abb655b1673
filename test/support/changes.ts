import { expect } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import type { Client } from './client.ts'

/** Returns the result of `GET {path}/history`, newest first. */
export async function historyOf(client: Client, path: string): Promise<readonly Change[]> {
  return listed(client, `${path}/history`)
}

/** Returns the result of `GET /changes`, newest first. */
export async function changesOf(client: Client, query = ''): Promise<readonly Change[]> {
  return listed(client, `/changes${query}`)
}

async function listed(client: Client, path: string): Promise<readonly Change[]> {
  const { status, text, body } = await client.get(path)
  expect(status, text).toBe(200)
  return body
}

/** A client that follows a school's changes from the moment of `begin`. */
export class Follower {
  readonly #client: Client
  #cursor: string

  private constructor(client: Client, cursor: string) {
    this.#client = client
    this.#cursor = cursor
  }

  static async begin(client: Client): Promise<Follower> {
    const { status, text, body } = await client.get('/changes/since')
    expect(status, text).toBe(200)
    expect(body.changes).toEqual([])
    return new Follower(client, body.cursor)
  }

  /** Returns a follower that continues from a cursor. */
  static from(client: Client, cursor: string): Follower {
    return new Follower(client, cursor)
  }

  get cursor(): string {
    return this.#cursor
  }

  /** Returns the changes of one response. */
  async poll(): Promise<readonly Change[]> {
    const { status, text, body } = await this.#client.get(`/changes/since?cursor=${this.#cursor}`)
    expect(status, text).toBe(200)
    this.#cursor = body.cursor
    return body.changes
  }

  /** Returns the changes of all responses until an empty one. */
  async pollToTheEnd(): Promise<readonly Change[]> {
    const all: Change[] = []
    for (;;) {
      const some = await this.poll()
      if (some.length === 0) return all
      all.push(...some)
    }
  }
}

/** Returns the sorted ids, including repeated ones. */
export function idsIn(changes: readonly { readonly id: string }[]): readonly string[] {
  return changes.map(({ id }) => id).toSorted()
}

/** Returns the fields before and after each change of a user, oldest first. Needs an owner's client. */
export async function changesOfUser(owner: Client, id: string): Promise<readonly unknown[]> {
  const changes = await changesOf(owner, `?resource=user&resource_id=${id}`)
  return changes
    .filter(({ action }) => action === 'changed')
    .map(({ before, after }) => [before, after])
    .toReversed()
}
