import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import css from './file-buttons.module.css'

const loadImport = () => import('./import-dialog.tsx')
const loadExport = () => import('./export-dialog.tsx')

export function FileButtons({ canExport }: { readonly canExport: boolean }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<typeof loadImport | typeof loadExport>()
  return (
    <div className={css.pair}>
      <Button look="bare" onClick={() => setOpen(() => loadImport)}>
        {t('files.import')}
      </Button>
      {canExport && (
        <Button look="bare" onClick={() => setOpen(() => loadExport)}>
          {t('files.export')}
        </Button>
      )}
      {open && <Deferred load={open} props={{ onClose: () => setOpen(undefined) }} />}
    </div>
  )
}
