import {
  argumentsOf,
  calleeOf,
  instead,
  literal,
  type Mutation,
  type Node,
  nodesIn,
  type Source,
  textOf,
} from './source.ts'

/** The replacements that remove a check: of calls that throw for a role, and of calls that select the user's own rows. */
const WITHOUT = new Map<string, (source: Source, call: Node) => string>([
  ['requirePermission', () => 'undefined'],
  ['requireChangePermission', () => 'undefined'],
  ['requireDecisionPermission', () => 'undefined'],
  ['ownOf', () => '({})'],
  ['visibleTo', (source, call) => textOf(source, argumentsOf(call)[1] as Node)],
])

/**
 * Returns a mutation for each role check of the file that leaves it out: calls, the permission that a route names, and
 * conditions for the user's own rows.
 */
export function roleChecks(source: Source): readonly Mutation[] {
  return Array.from(nodesIn(source.body)).flatMap((node) => {
    if (node.type === 'CallExpression') return ofCall(source, node)
    return node.type === 'Property' ? ofProperty(source, node) : []
  })
}

function ofCall(source: Source, call: Node): readonly Mutation[] {
  const name = calleeOf(call) ?? ''
  const without = WITHOUT.get(name)
  if (without) return [instead(call, without(source, call))]
  const [condition] = argumentsOf(call)
  const isOwn = name === '$if' && condition && /^own\b/.test(textOf(source, condition))
  return isOwn ? [instead(condition, 'false')] : []
}

/** Opens a route to every role; in the policy, grants a role a permission that it is refused. */
function ofProperty(source: Source, { key, value }: Node): readonly Mutation[] {
  const [name, node] = [(key as Node).name, value as Node]
  if (name === 'permission') {
    const permission = literal(node)
    return permission === undefined || EVERYBODYS.includes(permission) ? [] : [instead(node, "'be_oneself'")]
  }
  if (source.path !== 'auth/permissions.ts' || node.type !== 'ArrayExpression') return []
  const refused = (node.elements as readonly Node[]).filter((one) => literal(one) === 'none')
  return refused.map((one) => instead(one, "'all'"))
}

/** The permissions of every role. Other checks, which have their own mutants, withhold other people's rows. */
const EVERYBODYS = [
  'be_oneself',
  'keep_an_account',
  'see_the_catalogue',
  'look',
  'note_outcomes',
  'share_a_calendar',
  'ask_the_office',
]
