import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema/tables.ts'

class Blank {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Placeholders to build a statement. A missing optional value has none. */
export type Parameters<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> }

/**
 * A statement that is built on first use and only filled in afterwards, because building takes longer than sending. `undefined`
 * values are left out; each combination of the others is built once.
 */
export function statement<Values extends object, Row>(
  build: (db: Database, parameters: Parameters<Values>) => CompiledQuery<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  const known = new Map<string, CompiledQuery<Row>>()
  return async (db, values) => {
    const names = namesIn(values)
    const key = names.join()
    const compiled = known.get(key) ?? build(db, parametersFor<Values>(names))
    known.set(key, compiled)
    const parameters = compiled.parameters.map((one) =>
      one instanceof Blank ? values[one.name as keyof Values] : one,
    )
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

function namesIn(values: object): readonly string[] {
  const names: string[] = []
  for (const [name, value] of Object.entries(values)) if (value !== undefined) names.push(name)
  return names
}

function parametersFor<Values>(names: readonly string[]): Parameters<Values> {
  return Object.fromEntries(names.map((name) => [name, sql.val(new Blank(name))])) as Parameters<Values>
}
