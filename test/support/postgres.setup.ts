import type { TestProject } from 'vitest/node'
import { makeDatabase } from './postgres-database.ts'

/** How the tests reach their database; `owner` may change the schema, `app` may only read and write rows. */
export type TestDatabase =
  | { readonly kind: 'embedded'; readonly dump: string }
  | {
      readonly kind: 'postgres'
      readonly app: string
      readonly owner: string
      readonly namedStatements?: boolean
    }

declare module 'vitest' {
  export interface ProvidedContext {
    database: TestDatabase
  }
}

/** A database of its own for the tests of a project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { app, owner, remove } = await makeDatabase()
  project.provide('database', { kind: 'postgres', app, owner })
  return remove
}
