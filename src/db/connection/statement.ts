import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema/tables.ts'

class Blank {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

export type Parameters<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> }

/** Returns a query that is built once per combination of defined values: building takes longer than sending. */
export function statement<Values extends object, Row>(
  build: (db: Database, parameters: Parameters<Values>) => CompiledQuery<Row>,
): (db: Database, values: Values) => Promise<Row[]> {
  const known = new Map<string, CompiledQuery<Row>>()
  return async (db, values) => {
    const names = namesIn(values)
    const key = names.join()
    const compiled = known.get(key) ?? sharing(build(db, parametersFor<Values>(names)))
    known.set(key, compiled)
    const parameters = compiled.parameters.map((one) =>
      one instanceof Blank ? values[one.name as keyof Values] : one,
    )
    if (db.send) return db.send<Row>(compiled.sql, parameters)
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

function sharing<Row>({ sql: text, parameters, ...query }: CompiledQuery<Row>): CompiledQuery<Row> {
  const kept: unknown[] = []
  const numbers = new Map<string, number>()
  const shared = text.replace(PLACEHOLDER, (_, number: string, cast = '') => {
    const value = parameters[Number(number) - 1]
    const key = value instanceof Blank ? `${value.name}${cast}` : `constant ${number}`
    const known = numbers.get(key) ?? kept.push(value)
    numbers.set(key, known)
    return `$${known}${cast}`
  })
  return { ...query, sql: shared, parameters: kept }
}

const PLACEHOLDER = /\$(\d+)(::\w+(?:\[\])?)?/g

function namesIn(values: object): readonly string[] {
  const names: string[] = []
  for (const [name, value] of Object.entries(values)) if (value !== undefined) names.push(name)
  return names
}

function parametersFor<Values>(names: readonly string[]): Parameters<Values> {
  return Object.fromEntries(names.map((name) => [name, sql.val(new Blank(name))])) as Parameters<Values>
}
