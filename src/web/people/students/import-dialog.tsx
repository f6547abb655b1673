import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  IMPORT_KINDS,
  type ImportKind,
  importFile,
  type ImportPreview as Preview,
} from '../../data/student-files.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { toast } from '../../ui/toasts.ts'
import choices from './export-dialog.module.css'
import { fileProblemMessage } from './file-messages.ts'
import css from './import-preview.module.css'
import { ImportPreview } from './import-preview.tsx'
import { TooLarge, useChosenFile } from './use-chosen-file.ts'

type ImportDialogProps = { readonly onClose: () => void }

/** Imports students, vehicles or opening balances from a file after a preview with faults and duplicates. */
export default function ImportDialog({ onClose }: ImportDialogProps) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<ImportKind>('students')
  const [anyway, setAnyway] = useState<ReadonlySet<number>>(new Set())
  const [skipsFaulty, setSkipsFaulty] = useState(false)
  const { mutate, error, isPending, reset } = useImport(onClose)
  const chosen = useChosenFile(kind, () => {
    setAnyway(new Set())
    setSkipsFaulty(false)
    reset()
  })
  const { preview } = chosen
  const sound = preview ? soundOf(preview, anyway) : 0
  const isFaulty = preview !== undefined && preview.faulty_lines > 0
  const isMissing = preview !== undefined && preview.missing_fields.length > 0
  const count = isMissing || (isFaulty && !skipsFaulty) ? 0 : sound
  const choose = (next: ImportKind) => {
    chosen.clear()
    setKind(next)
  }
  const send = () => {
    if (chosen.file === undefined) return
    const { file, reading } = chosen
    mutate({ kind, file, ...reading, import_lines: [...anyway], skip_faulty_lines: skipsFaulty })
  }
  return (
    <FormDialog
      title={t(`files.of.${kind}.title`)}
      submit={count > 0 ? t(`files.of.${kind}.count`, { count }) : t('files.import')}
      size={720}
      isBusy={isPending}
      isBlocked={count === 0 || chosen.isReading || chosen.error !== null}
      isFilled={preview !== undefined}
      onSubmit={send}
      onClose={onClose}
    >
      {!preview && <Kinds chosen={kind} isBusy={chosen.isReading} onChoose={choose} />}
      <p className={css.text}>{t(`files.of.${kind}.hint`)}</p>
      <FileButton isBusy={chosen.isReading} isFirst={!preview} onChoose={chosen.choose} />
      <Answer {...chosen} kind={kind} />
      {preview && (
        <ImportPreview
          name={chosen.name}
          preview={preview}
          reading={chosen.reading}
          anyway={anyway}
          onRead={chosen.change}
          onChoose={setAnyway}
        />
      )}
      {isFaulty && sound > 0 && (
        <label className={css.all}>
          <input
            type="checkbox"
            checked={skipsFaulty}
            onChange={({ currentTarget }) => setSkipsFaulty(currentTarget.checked)}
          />
          {t('files.skipFaulty', { count: sound })}
        </label>
      )}
      <FailureNotice error={error} explain={(failure) => fileProblemMessage(failure, kind, t)} />
    </FormDialog>
  )
}

type KindsProps = {
  readonly chosen: ImportKind
  readonly isBusy: boolean
  readonly onChoose: (kind: ImportKind) => void
}

function Kinds({ chosen, isBusy, onChoose }: KindsProps) {
  const { t } = useTranslation()
  return (
    <fieldset className={choices.choices} disabled={isBusy}>
      <legend>{t('files.what')}</legend>
      {IMPORT_KINDS.map((kind) => (
        <label key={kind}>
          <input type="radio" name="what" checked={chosen === kind} onChange={() => onChoose(kind)} />
          {t(`files.of.${kind}.what`)}
        </label>
      ))}
    </fieldset>
  )
}

/** Returns the number of lines to import: without faults, and of duplicates only the chosen ones. */
function soundOf({ count, faulty_lines, duplicates }: Preview, anyway: ReadonlySet<number>) {
  return count - faulty_lines - duplicates.length + anyway.size
}

type AnswerProps = { readonly kind: ImportKind; readonly isReading: boolean; readonly error: unknown }

function Answer({ kind, isReading, error }: AnswerProps) {
  const { t } = useTranslation()
  if (isReading)
    return (
      <p role="status" className={css.text}>
        {t('files.reading')}
      </p>
    )
  return (
    <FailureNotice
      error={error}
      text={error instanceof TooLarge && t('files.tooLarge')}
      explain={(failure) => fileProblemMessage(failure, kind, t)}
    />
  )
}

function useImport(onDone: () => void) {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: importFile,
    onSuccess: ({ imported, skipped_lines, faulty_lines = [] }, { kind }) => {
      const [skipped, faulty] = [skipped_lines.length, faulty_lines.length]
      const sentences = [
        t(`files.of.${kind}.done`, { count: imported }),
        ...(skipped > 0 ? [t('files.skipped', { count: skipped })] : []),
        ...(faulty > 0 ? [t('files.leftOut', { count: faulty })] : []),
      ]
      toast({ kind: 'done', text: sentences.join(' ') })
      onDone()
    },
  })
}

type FileButtonProps = {
  readonly isBusy: boolean
  readonly isFirst: boolean
  readonly onChoose: (chosen: File) => void
}

/** A button that opens the file field, which is hidden because its text is in the browser's language. */
function FileButton({ isBusy, isFirst, onChoose }: FileButtonProps) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = currentTarget.files ?? []
    // Lets the same file be chosen again after a correction.
    currentTarget.value = ''
    if (chosen) onChoose(chosen)
  }
  return (
    <div>
      <input ref={field} type="file" accept=".csv,.txt,text/csv" hidden onChange={take} />
      <Button
        look={isFirst ? 'primary' : 'plain'}
        isBusy={isBusy}
        data-autofocus
        onClick={() => field.current?.click()}
      >
        {t(isFirst ? 'files.choose' : 'files.chooseOther')}
      </Button>
    </div>
  )
}
