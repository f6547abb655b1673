import { parseSync } from 'vite'

/** A node of a syntax tree. `start` and `end` are positions in the text. */
export type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>

/** A file below `src`, read and parsed. `path` is relative to `src`. */
export type Source = { readonly path: string; readonly text: string; readonly body: readonly Node[] }

/** A change of one place, whose text is put between `before` and `after`. `isOn` is the condition for the change. */
export type Mutation = {
  readonly start: number
  readonly end: number
  readonly before: (isOn: string) => string
  readonly after: string
}

/** Parses TypeScript. Throws if the syntax is invalid. */
export function parse(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  return { path, text, body: program.body as unknown as readonly Node[] }
}

/** Yields all nodes of a tree, parents before children. */
export function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one)
  if (!isNode(value)) return
  yield value
  for (const part of Object.values(value)) yield* nodesIn(part)
}

export function textOf({ text }: Source, { start, end }: Node): string {
  return text.slice(start, end)
}

/** Returns the name of the called function or method; undefined if it has none. */
export function calleeOf(call: Node): string | undefined {
  const callee = call.callee as Node
  const named = callee.type === 'MemberExpression' ? (callee.property as Node) : callee
  return named.type === 'Identifier' ? String(named.name) : undefined
}

export function argumentsOf(call: Node): readonly Node[] {
  return call.arguments as readonly Node[]
}

/** Returns the value of a string literal; undefined for any other node. */
export function literal(node: Node | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

/** Returns a mutation that replaces a complete expression: a statement, an argument or a value. */
export function instead({ start, end }: Pick<Node, 'start' | 'end'>, other: string): Mutation {
  // No leading parenthesis: after a line without a semicolon it would make a call.
  return { start, end, before: (isOn) => `${isOn} ? ${other} : `, after: '' }
}

/** Returns the name of the top-level declaration around a place. */
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
