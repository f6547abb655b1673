import type { DoubtCode, Encoding, FileImport, ImportDoubt, LineFault } from '../../contract/file-import.ts'
import type { OpeningBalanceImportPreview } from '../../contract/opening-balance-import.ts'
import type { Fault } from '../../contract/problem.ts'
import type { StudentImportPreview } from '../../contract/student-import.ts'
import type { VehicleImportPreview } from '../../contract/vehicle-import.ts'
import { bootstrap } from './bootstrap.ts'
import { refetchComputed } from './computed.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { ApiProblem, bodyOf } from './send.ts'
import { postOnce, type WriteContext } from './write-queue.ts'

/** A chosen file, its bytes in base64. */
export type ChosenFile = { readonly name: string; readonly file: string }

/** Reads a chosen file. Throws the browser's error if it no longer exists. */
export function readChosen(chosen: File): Promise<ChosenFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve({ name: chosen.name, file: String(reader.result).split(',')[1] ?? '' })
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(chosen)
  })
}

/** The kinds of files that can be imported. */
export const IMPORT_KINDS = ['students', 'vehicles', 'balances'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

const PATHS: Readonly<Record<ImportKind, string>> = {
  students: '/student-imports',
  vehicles: '/vehicle-imports',
  balances: '/opening-balance-imports',
}

type Preview = StudentImportPreview | VehicleImportPreview | OpeningBalanceImportPreview
export type ImportDuplicate = Preview['duplicates'][number]

/** The preview of a file of any kind. */
export type ImportPreview = {
  readonly kind: ImportKind
  readonly encoding: Encoding
  readonly words: readonly string[]
  readonly columns: Preview['columns']
  readonly fields: readonly string[]
  readonly missing_fields: readonly string[]
  readonly heading_line: number
  readonly doubts: readonly ImportDoubt[]
  readonly count: number
  readonly sample: readonly Preview['sample'][number][]
  readonly faulty_lines: number
  readonly faults: readonly LineFault[]
  readonly duplicates: readonly ImportDuplicate[]
}

/** The choices of the user in place of what a file is recognised as. */
export type ReadingChoices = {
  readonly encoding?: Encoding | undefined
  readonly heading_line?: number
  readonly columns?: readonly (string | null)[]
  readonly assume?: readonly DoubtCode[]
}

/** Throws `ApiProblem` or `Unreachable`. */
export async function checkImport(
  kind: ImportKind,
  { file }: ChosenFile,
  reading: ReadingChoices,
): Promise<ImportPreview> {
  const body = { file, ...reading }
  const preview = await fetchJson<Preview>(`${PATHS[kind]}/check`, { method: 'POST', body })
  return { ...preview, kind, count: countOf(preview) }
}

function countOf(preview: Preview): number {
  if ('students' in preview) return preview.students
  return 'vehicles' in preview ? preview.vehicles : preview.entries
}

/** Returns the fault of a rejected file or of its first faulty line; undefined for other errors. */
export function fileFaultOf(error: unknown): Fault | undefined {
  return error instanceof ApiProblem ? error.body.errors?.[0] : undefined
}

type Import = ReadingChoices & {
  readonly kind: ImportKind
  readonly file: string
  readonly import_lines: readonly number[]
  readonly skip_faulty_lines: boolean
}

/** Imports a file and refetches the school. Throws `ApiProblem` or `Unreachable`. */
export async function importFile({ kind, ...wanted }: Import, { client }: WriteContext): Promise<FileImport> {
  const answer = await postOnce(PATHS[kind], wanted)
  await client.invalidateQueries({ queryKey: bootstrap.queryKey })
  void refetchComputed(client)
  return bodyOf(answer)
}

/** Downloads a file of the service. Throws `ApiProblem` or `Unreachable`. */
export async function download({ path, name }: { path: string; name: string }): Promise<void> {
  const answer = await fetchApi(path)
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
