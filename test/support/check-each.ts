/**
 * Runs a check for each named case, one after the other. Throws one error that names every case that failed, with the first failure
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
