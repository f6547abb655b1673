import type { Fault } from '../../contract/problem.ts'
import type { StudentImport, StudentImportPreview } from '../../contract/student-import.ts'
import { ask, askFor } from './ask.ts'
import { bootstrap } from './bootstrap.ts'
import { computeAnew } from './computed.ts'
import { ApiProblem } from './send.ts'
import { askOnce, type Writing } from './write-queue.ts'

/** A file as chosen, its bytes in base64. */
export type ChosenFile = { readonly name: string; readonly file: string }

/** Throws as the browser does if the file is gone. */
export function readChosen(chosen: File): Promise<ChosenFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve({ name: chosen.name, file: String(reader.result).split(',')[1] ?? '' })
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(chosen)
  })
}

/** Throws `ApiProblem` or `Unreachable`. */
export async function checkImport({ file }: ChosenFile): Promise<StudentImportPreview> {
  return askFor('/student-imports/check', { method: 'POST', body: { file } })
}

/** Returns the fault of the file, or of its first faulty line, if it was refused for it. */
export function fileFaultOf(error: unknown): Fault | undefined {
  return error instanceof ApiProblem ? error.body.errors?.[0] : undefined
}

type Import = {
  readonly file: string
  readonly import_lines: readonly number[]
  readonly skip_faulty_lines: boolean
}

/** Enrols the students of a file and refetches the school. Throws `ApiProblem` or `Unreachable`. */
export async function importStudents(wanted: Import, { client }: Writing): Promise<StudentImport> {
  const answer = await askOnce('/student-imports', wanted)
  await client.invalidateQueries({ queryKey: bootstrap.queryKey })
  void computeAnew(client)
  return answer.json()
}

/** Lets the browser save a file of the service. Throws `ApiProblem` or `Unreachable`. */
export async function download({ path, name }: { path: string; name: string }): Promise<void> {
  const answer = await ask(path)
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
