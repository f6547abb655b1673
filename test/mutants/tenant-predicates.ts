import {
  argumentsOf,
  calleeOf,
  literal,
  type Mutation,
  type Node,
  nodesIn,
  type Source,
  textOf,
} from './source.ts'

/** The column of the tenant, with or without its table. */
const COLUMN = /^(?:\w+\.)?tenant_id$/
/** The names of a school's id in a condition for the school's own row. */
const SCHOOL = /\b(tenantId|tenant_id|tenant\.id|stored\.id|school)$/
const IN_PROCESS = /\b(tid|tenantId|tenant_id|tenant\.id)$/
/** Kysely's methods that take a condition, and those that only name columns. */
const CONDITIONS = ['where', 'whereRef', 'on', 'onRef', 'having', 'havingRef']
const NO_CONDITIONS = ['select', 'column', 'columns', 'returning', 'groupBy', 'orderBy']

/** A comparison in SQL of the column with a value or another column. */
const COMPARISON =
  /(?:\w+\.)?\btenant_id\s*=\s*(?:\$\{\0+\}|(?:\w+\.)?\w+)|(?:\w+\.)?\w+\s*=\s*\w+\.tenant_id|\btenants?\.id\s*=\s*\$\{\0+\}/g
/** The column next to any operator. A match outside `COMPARISON` has a form without a mutant yet. */
const OPERATOR =
  /\btenant_id\s*(?:=|<>|!=|\bin\b|\bis\b|\bany\b)|(?:=|<>|!=)\s*\w+\.tenant_id|\busing\s*\(\s*tenant_id/g

/**
 * Returns a mutation for each tenant condition of the file that makes it true for all rows. Throws for a condition of an
 * unknown form, which would otherwise have no mutant.
 */
export function tenantPredicates(source: Source): readonly Mutation[] {
  return Array.from(nodesIn(source.body)).flatMap((node) => {
    if (node.type === 'CallExpression') return ofCall(source, node)
    if (node.type === 'BinaryExpression') return ofComparison(source, node)
    return isSql(node) ? ofTemplate(source, node) : []
  })
}

function ofCall(source: Source, call: Node): readonly Mutation[] {
  const name = calleeOf(call) ?? ''
  const [left, , right] = argumentsOf(call)
  const column = literal(left) ?? ''
  const isCondition = COLUMN.test(column) || (name === 'where' && isOfSchool(source, call, column))
  if (isCondition && left && right && CONDITIONS.includes(name)) {
    const all = name.endsWith('Ref') ? `'${column}', '=', '${column}'` : `'${column}', 'is not', null`
    return [
      { start: left.start, end: right.end, before: (isOn) => `...(${isOn} ? [${all}] : [`, after: '])' },
    ]
  }
  if (NO_CONDITIONS.includes(name)) return []
  if (isCondition || namesTenant(source, call))
    throw new Error(`${source.path}: a condition by ${name} is not known`)
  return []
}

/** Whether the call names the tenant column, as a join's column or in an object of conditions. */
function namesTenant(source: Source, call: Node): boolean {
  const isOfMany = /^(and|or)$/.test(calleeOf(call) ?? '')
  return argumentsOf(call).some(
    (one) =>
      COLUMN.test(literal(one) ?? '') ||
      (isOfMany && one.type === 'ObjectExpression' && /\btenant_id\b/.test(textOf(source, one))),
  )
}

/** Whether the condition is about the id of the school itself. */
function isOfSchool(source: Source, call: Node, column: string): boolean {
  const [, , right] = argumentsOf(call)
  const isAboutSchools = /(?:From|Table)\('tenants'\)/.test(textOf(source, call.callee as Node))
  return column === 'id' && isAboutSchools && right !== undefined && SCHOOL.test(textOf(source, right))
}

/** Mutates comparisons of school ids in TypeScript. */
function ofComparison(source: Source, comparison: Node): readonly Mutation[] {
  const { operator, left, right, start, end } = comparison
  const sides = [left, right].map((side) => textOf(source, side as Node))
  if (operator !== '===' || !sides.some((side) => IN_PROCESS.test(side)) || sides.includes('undefined'))
    return []
  return [{ start, end, before: (isOn) => `(${isOn} || `, after: ')' }]
}

function isSql({ type, tag }: Node): boolean {
  return type === 'TaggedTemplateExpression' && (tag as Node).name === 'sql'
}

function ofTemplate(source: Source, template: Node): readonly Mutation[] {
  const quasi = template.quasi as Node
  const masked = maskedText(source, quasi)
  const found = [...masked.matchAll(COMPARISON)]
  const isFound = (at: number) => found.some(({ index, 0: text }) => index <= at && at < index + text.length)
  for (const { index, 0: text } of masked.matchAll(OPERATOR))
    if (!isFound(index)) throw new Error(`${source.path}: '${text}' is not known`)
  return found.map(({ index, 0: text }) => {
    const start = quasi.start + index
    const end = start + text.length
    // Keep the parameters: without a use of them PostgreSQL could not infer their types.
    const all = `sql\`(${source.text.slice(start, end)}) is not null\``
    return { start, end, before: (isOn) => `\${${isOn} ? ${all} : sql\``, after: '`}' }
  })
}

/** Returns the template with its values masked, because they are nodes of their own. */
function maskedText(source: Source, quasi: Node): string {
  let text = textOf(source, quasi)
  for (const { start, end } of quasi.expressions as readonly Node[]) {
    const [from, to] = [start - quasi.start, end - quasi.start]
    text = text.slice(0, from) + '\0'.repeat(to - from) + text.slice(to)
  }
  return text
}
