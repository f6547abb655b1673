import pg from 'pg'

/** A statement as the service sent it. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] }

/** A recorder of the statements on connections that a pool opens from now on. */
export class Recorder {
  #heard: Statement[] = []

  constructor(pool: pg.Pool) {
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...parameters: unknown[]) => unknown
      const recorded = (config: string | pg.QueryConfig, values?: unknown, callback?: unknown) => {
        const given = typeof config === 'string' ? values : config.values
        const text = typeof config === 'string' ? config : config.text
        this.#heard.push({ text, values: Array.isArray(given) ? given : [] })
        return query(config, values, callback)
      }
      client.query = recorded as typeof client.query
    })
  }

  /** Returns the distinct statements since the last call, without those that begin and end transactions. */
  take(): readonly Statement[] {
    return [...new Map(this.takeAll().map((statement) => [statement.text, statement])).values()]
  }

  /** Returns the same, but each as often as it was sent. */
  takeAll(): readonly Statement[] {
    const heard = this.#heard
    this.#heard = []
    return heard.filter(({ text }) => !/^(begin|commit|rollback)\b/i.test(text))
  }
}

type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly PlanNode[]
}

/** The conditions with which an index yields only one appointment, a range of times, or a few changes. */
const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  appointments_of_series: ['tenant_id =', 'series_id ='],
  appointments_pkey: ['tenant_id =', 'id ='],
  appointments_by_start: ['tenant_id =', 'start_at <', 'start_at >'],
  appointments_with_outcome: ['tenant_id =', 'start_at <', 'start_at >'],
  appointments_of_instructor: ['tenant_id =', 'instructor_id =', 'start_at <', 'start_at >'],
  appointments_of_student: ['tenant_id =', 'student_id =', 'start_at <', 'start_at >'],
  appointments_instructor_busy: ['tenant_id =', 'instructor_id =', '&&'],
  appointments_of_attendee: ['attendees @>'],
  // A school has few groups.
  appointments_of_groups: ['tenant_id ='],
  appointments_attendee_busy: ['tenant_id ='],
  // Read in the order of the index, so that a page reads only the rows that it returns.
  changes_pkey: ['tenant_id ='],
  changes_of_resource: ['tenant_id =', 'resource_id ='],
  changes_by_transaction: ['tenant_id =', 'transaction >='],
}

/** The generic plan of a statement, which does not depend on its values. */
export class Plan {
  readonly #text: string
  readonly #nodes: readonly PlanNode[]

  constructor(text: string, root: PlanNode) {
    this.#text = text
    this.#nodes = nodesOf(root)
  }

  /** The tables that the plan reads in any way. */
  get tables(): readonly string[] {
    return this.#nodes.map((node) => node['Relation Name'] ?? '')
  }

  /** Reads of more rows than requested. */
  get faults(): readonly string[] {
    return this.#nodes.map(faultOf).flatMap((fault) => (fault ? [`${fault}: ${this.#text}`] : []))
  }

  /** The indexes that the plan uses. */
  get indexes(): readonly string[] {
    return this.#nodes.map((node) => node['Index Name'] ?? '')
  }

  /** Reads of more appointments or changes than requested. */
  get faultsOnWhatGrows(): readonly string[] {
    return this.faults.filter((fault) => /^reads all of (appointments|changes)/.test(fault))
  }
}

/** A connection that explains how a database would run statements. */
export class Planner {
  readonly #client: pg.Client

  constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url })
  }

  async open(): Promise<void> {
    await this.#client.connect()
    await this.#client.query('set plan_cache_mode = force_generic_plan')
  }

  async close(): Promise<void> {
    await this.#client.end()
  }

  async planOf({ text, values }: Statement): Promise<Plan> {
    const nulls = values.length === 0 ? '' : `(${values.map(() => 'null').join()})`
    await this.#client.query(`prepare examined as ${text}`)
    const { rows } = await this.#client.query(`explain (format json) execute examined${nulls}`)
    await this.#client.query('deallocate examined')
    return new Plan(text, rows[0]['QUERY PLAN'][0].Plan)
  }
}

function nodesOf(plan: PlanNode): readonly PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

function faultOf(node: PlanNode): string | undefined {
  if (node['Node Type'] === 'Seq Scan')
    return `reads all of ${node['Relation Name']}, filter ${node.Filter ?? 'none'}`
  const index = node['Index Name']
  if (!index) return undefined
  const condition = node['Index Cond'] ?? ''
  const bounds = BOUNDS[index] ?? (index.startsWith('appointments') ? undefined : ['='])
  return bounds?.every((bound) => mentions(condition, bound))
    ? undefined
    : `reads all of ${index}, condition ${condition || 'none'}`
}

/** Whether the condition contains the bound as a whole name: `id` does not match `student_id`. */
function mentions(condition: string, bound: string): boolean {
  return new RegExp(`(?<![a-z_])${bound}`).test(condition)
}
