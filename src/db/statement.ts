import type { CompiledQuery } from 'kysely'
import type { Database } from './tables.ts'

/** Stands for a value in a statement that has none yet. */
class Parameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Whatever is asked of it is a parameter of that name. */
const parameters = new Proxy(Object.create(null), { get: (_, name) => new Parameter(String(name)) })

/**
 * A statement that is built and compiled once, on its first use, and afterwards only filled in: building it takes
 * longer than sending it. `build` is given parameters in place of values, so it must not look at them.
 */
export function statement<Values extends object, Row>(
  build: (db: Database, values: Values) => CompiledQuery<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= build(db, parameters)
    const filledIn = compiled.parameters.map((one) =>
      one instanceof Parameter ? values[one.name as keyof Values] : one,
    )
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters: filledIn })
    return rows
  }
}
