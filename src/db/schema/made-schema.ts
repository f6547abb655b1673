import SCHEMA from './schema.json' with { type: 'json' }

export type MadeTable = {
  readonly columns: Readonly<Record<string, string>>
  readonly constraints: readonly string[]
  /** The indexes beside those of constraints. */
  readonly indexes: readonly string[]
}

/** The schema that migrating an empty database makes, by table; `npm run schema` writes it. */
export const MADE_SCHEMA: Readonly<Record<string, MadeTable>> = SCHEMA
