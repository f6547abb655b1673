import SCHEMA from './schema.json' with { type: 'json' }

export type ExpectedTable = {
  readonly columns: Readonly<Record<string, string>>
  readonly constraints: readonly string[]
  /** The indexes other than those of constraints. */
  readonly indexes: readonly string[]
}

/** The schema of a newly migrated database, by table; written by `npm run schema`. */
export const EXPECTED_SCHEMA: Readonly<Record<string, ExpectedTable>> = SCHEMA
