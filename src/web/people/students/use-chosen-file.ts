import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_FILE_BYTES } from '../../../domain/ranges.ts'
import {
  type ChosenFile,
  checkImport,
  type ImportKind,
  type ImportPreview,
  type ReadingChoices,
  readChosen,
} from '../../data/student-files.ts'

export class TooLarge extends Error {}

type Checked = { readonly read: ChosenFile; readonly preview: ImportPreview }

/** Adds the 0 that numbers have lost, unless the user decides otherwise: the preview asks. */
const FIRST_READING: ReadingChoices = { assume: ['lost_zero'] }

/** Returns the preview of the last chosen file, and a function that reads it in another way. */
export function useChosenFile(kind: ImportKind, onRead: () => void) {
  const [shown, setShown] = useState<Checked>()
  // The user's choice, shown before the preview that follows it.
  const [reading, setReading] = useState(FIRST_READING)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: async ({ read, next }: { read: () => Promise<ChosenFile>; next: ReadingChoices }) => {
      const chosen = await read()
      return { read: chosen, preview: await checkImport(kind, chosen, next) }
    },
  })
  const check = (read: () => Promise<ChosenFile>, next: ReadingChoices) => {
    onRead()
    setReading(next)
    mutate({ read, next }, { onSuccess: setShown })
  }
  const clear = () => {
    setShown(undefined)
    reset()
  }
  const choose = (chosen: File) => {
    setShown(undefined)
    check(async () => {
      if (chosen.size > MAX_FILE_BYTES) throw new TooLarge()
      return readChosen(chosen)
    }, FIRST_READING)
  }
  const { read, preview } = shown ?? {}
  return {
    name: read?.name ?? '',
    file: read?.file,
    preview,
    reading,
    error,
    isReading: isPending,
    choose,
    /** Reads the file again. */
    change: (next: ReadingChoices) => read && check(async () => read, next),
    clear,
  }
}
