import { parseSync } from 'vite'

/** A node of a syntax tree, in which `start` and `end` are places in the text. */
export type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>

/** A file below `src`, read and parsed. `path` is relative to `src`. */
export type Source = { readonly path: string; readonly text: string; readonly body: readonly Node[] }

/** A change of one place: the text there becomes `before`, itself, and `after`. A condition asks which change is on. */
export type Mutation = {
  readonly start: number
  readonly end: number
  readonly before: (isOn: string) => string
  readonly after: string
}

/** Parses TypeScript. Throws where it is none. */
export function parse(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  return { path, text, body: program.body as unknown as readonly Node[] }
}

/** All nodes of a tree, outer before inner. */
export function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one)
  if (!isNode(value)) return
  yield value
  for (const part of Object.values(value)) yield* nodesIn(part)
}

/** The text of a node. */
export function textOf({ text }: Source, { start, end }: Node): string {
  return text.slice(start, end)
}

/** The name of what a call calls: that of a function, or of a method; nothing if it has none. */
export function calleeOf(call: Node): string | undefined {
  const callee = call.callee as Node
  const named = callee.type === 'MemberExpression' ? (callee.property as Node) : callee
  return named.type === 'Identifier' ? String(named.name) : undefined
}

/** The arguments of a call. */
export function argumentsOf(call: Node): readonly Node[] {
  return call.arguments as readonly Node[]
}

/** A string that stands in the text, nothing if the node is something else. */
export function literal(node: Node | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

/** A mutation that replaces an expression that is whole: a statement, an argument, a value. */
export function instead({ start, end }: Pick<Node, 'start' | 'end'>, other: string): Mutation {
  // No parenthesis in front: after a line without a semicolon it would be a call.
  return { start, end, before: (isOn) => `${isOn} ? ${other} : `, after: '' }
}

/** The name of the declaration around a place, at the top of the file. */
export function declarationAround({ body }: Source, { start, end }: Pick<Node, 'start' | 'end'>): string {
  const around = body.find((one) => one.start <= start && end <= one.end)
  for (const { type, id } of nodesIn(around)) {
    if (/^(Function|Class)Declaration$|^VariableDeclarator$/.test(type) && isNode(id)) return String(id.name)
  }
  return 'top'
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
