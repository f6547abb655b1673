/**
 * Runs a check for each named case, one after another. Throws one error that names every failed case, with the first failure
 * as its cause.
 */
export async function checkEach<Case>(
  cases: Iterable<readonly [name: string, value: Case]>,
  check: (value: Case, name: string) => unknown,
): Promise<void> {
  const failures: { readonly name: string; readonly error: unknown }[] = []
  let count = 0
  for (const [name, value] of cases) {
    count += 1
    try {
      await check(value, name)
    } catch (error) {
      failures.push({ name, error })
    }
  }
  if (count === 0) throw new Error('there is no case to check')
  const [first] = failures
  if (!first) return
  const lines = failures.map(
    ({ name, error }) => `- ${name}: ${error instanceof Error ? error.message : error}`,
  )
  throw new Error(`${failures.length} of ${count} cases failed:\n${lines.join('\n')}`, { cause: first.error })
}

type Values<Row> = Row extends readonly [...infer Items] ? Items : [Row]

/** Runs a check for each row of a table, as `it.each` does, within one test. A row is named by its first two values. */
export async function checkTable<const Row>(
  rows: readonly Row[],
  check: (...values: Values<Row>) => unknown,
): Promise<void> {
  const cases = rows.map((row) => [nameOf(row), (Array.isArray(row) ? row : [row]) as Values<Row>] as const)
  await checkEach(cases, (values) => check(...values))
}

function nameOf(row: unknown): string {
  const texts = (Array.isArray(row) ? row : [row]).filter((value) => typeof value !== 'function').slice(0, 2)
  return texts
    .map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 60))
    .join(', ')
}
