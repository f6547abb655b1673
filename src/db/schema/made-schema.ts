import SCHEMA from './schema.json' with { type: 'json' }

export type MadeTable = {
  readonly columns: Readonly<Record<string, string>>
  readonly constraints: readonly string[]
  /** The indexes other than those of constraints. */
  readonly indexes: readonly string[]
}

/** The schema of a newly migrated database, by table; written by `npm run schema`. */
export const MADE_SCHEMA: Readonly<Record<string, MadeTable>> = SCHEMA
