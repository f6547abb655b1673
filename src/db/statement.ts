import type { CompiledQuery } from 'kysely'
import type { Database } from './tables.ts'

/** Stands for a value in a statement that is built without one. */
class Parameter {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement that is built and compiled on its first use and afterwards only filled in: building it takes longer than
 * sending it. Values that are `undefined` are left out, and each combination of those that are there is built once.
 * `build` is given parameters in place of values: it may ask whether one is `undefined`, and nothing else.
 */
export function statement<Values extends object, Row>(
  build: (db: Database, values: Values) => CompiledQuery<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  const known = new Map<string, CompiledQuery<Row>>()
  return async (db, values) => {
    const names = namesIn(values)
    const key = names.join()
    const compiled = known.get(key) ?? build(db, parametersFor<Values>(names))
    known.set(key, compiled)
    const parameters = compiled.parameters.map((one) =>
      one instanceof Parameter ? values[one.name as keyof Values] : one,
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

function parametersFor<Values>(names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, new Parameter(name)])) as Values
}
