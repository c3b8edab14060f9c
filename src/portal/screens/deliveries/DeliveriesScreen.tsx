import { useState } from 'react'
import type { Delivery, DeliveryWithCertificates } from '../../api/generated.ts'
import { useCommand, useList, useSeen } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { type Action, Actions } from '../../kit/Actions.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark } from '../../kit/Chip.tsx'
import type { Column } from '../../kit/column.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { Form, faultOf, TextField } from '../../kit/Form.tsx'
import { useFilters } from '../../kit/filters.tsx'
import { Empty } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { Views } from '../../kit/Views.tsx'
import { useTexts } from '../../texts/texts.ts'
import { DeliveryPanel } from './DeliveryPanel.tsx'

/** What has come, and the way to record, correct and void it. */
export function DeliveriesScreen() {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const filters = useFilters()
  const isNarrow = filters.value('certificate') === 'none'
  const query = isNarrow ? { withoutCertificate: true } : {}
  const list = useList('listDeliveries', { params: { companyId }, query })
  const [editing, setEditing] = useState<Delivery | 'new'>()
  const [voiding, setVoiding] = useState<Delivery>()
  const actionsOn = (delivery: Delivery) =>
    delivery.voided || !may('correctDelivery')
      ? []
      : [
          { text: t('correct'), act: () => setEditing(delivery) },
          { text: t('voidAction'), act: () => setVoiding(delivery), isDangerous: true },
        ]
  const columns = useDeliveryColumns(actionsOn)
  return (
    <Page
      title={t('deliveries')}
      lead={t('deliveriesText')}
      actions={
        may('recordDelivery') && (
          <Button kind="primary" onPress={() => setEditing('new')}>
            {t('recordDelivery')}
          </Button>
        )
      }
    >
      <div className="toolbar">
        <Views
          label={t('deliveries')}
          parameter="certificate"
          views={[
            { value: '', text: t('all') },
            { value: 'none', text: t('withoutCertificateShort') },
          ]}
        />
      </div>
      <Table
        label={t('deliveries')}
        name="deliveries"
        list={list}
        rowKey={({ deliveryId }) => deliveryId}
        empty={<Empty title={t(isNarrow ? 'allCertificatesFound' : 'noDeliveries')} />}
        columns={columns}
      />
      {editing !== undefined && (
        <DeliveryPanel
          {...(editing !== 'new' && { delivery: editing })}
          onClose={() => setEditing(undefined)}
        />
      )}
      {voiding && <VoidDelivery delivery={voiding} onClose={() => setVoiding(undefined)} />}
    </Page>
  )
}

function useDeliveryColumns(
  actionsOn: (delivery: Delivery) => readonly Action[],
): readonly Column<DeliveryWithCertificates>[] {
  const { t, number, date } = useTexts()
  return [
    {
      title: t('deliveryNote'),
      name: 'deliveryNote',
      sortBy: (one) => one.deliveryNote,
      total: (rows) => t('countInAll', { n: number(rows.length) }),
      cell: ({ deliveryNote, voided }) => (
        <span className="chips">
          <strong>{deliveryNote}</strong>
          {voided && <Mark tone="calm">{t('certificateVoided')}</Mark>}
        </span>
      ),
    },
    {
      title: t('supplier'),
      name: 'supplier',
      sortBy: (one) => one.supplier,
      cell: ({ supplier }) => supplier,
      from: 'tablet',
    },
    {
      title: t('dispatchDate'),
      name: 'date',
      sortBy: (one) => one.date,
      cell: (one) => <span className="noWrap">{date(one.date)}</span>,
    },
    {
      title: t('piecesOfItem'),
      name: 'pieces',
      sortBy: piecesIn,
      total: (rows) =>
        number(rows.filter(({ voided }) => !voided).reduce((sum, one) => sum + piecesIn(one), 0)),
      cell: (one) => <Items delivery={one} />,
    },
    { title: t('moreActions'), isUntitled: true, cell: (one) => <Actions actions={actionsOn(one)} /> },
  ]
}

function piecesIn({ items }: Delivery): number {
  return items.reduce((sum, { pieces }) => sum + pieces, 0)
}

/** Shows the pieces that came of each item, with their certificate and heat. */
function Items({ delivery }: { readonly delivery: DeliveryWithCertificates }) {
  const { t, number } = useTexts()
  const certificates = new Map(delivery.certificates.map((one) => [one.millCertificationId, one]))
  return delivery.items.map(({ millCertificationId, heatNumber, pieces, lengthMm }, index) => {
    const certificate = certificates.get(millCertificationId ?? '')
    const n = number(pieces)
    const steel = [
      lengthMm === null ? t('pieceCount', { n }) : t('pieces', { n, length: number(lengthMm) }),
      certificate?.certificateNumber,
      certificate?.heatNumber ?? heatNumber,
    ]
    // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place
    return <div key={index}>{steel.filter(Boolean).join(' · ')}</div>
  })
}

function VoidDelivery({
  delivery: { deliveryId, deliveryNote },
  onClose,
}: {
  readonly delivery: Delivery
  readonly onClose: () => void
}) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), deliveryId }
  const { mutate, isPending, error } = useCommand('voidDelivery')
  const { ifMatch, isReading } = useSeen('getDelivery', { params })
  const [reason, setReason] = useState('')
  const send = () =>
    mutate({ params, ifMatch, body: { reason: reason.trim() } }, tellAndClose(t('deliveryVoided'), onClose))
  return (
    <Dialog title={t('decisionTitle', { action: t('voidAction'), name: deliveryNote })} onClose={onClose}>
      <p>{t('voidDeliveryText')}</p>
      <Form
        onSubmit={send}
        onCancel={onClose}
        submit={t('voidAction')}
        isPending={isPending || isReading}
        error={error}
      >
        <TextField
          label={t('reason')}
          value={reason}
          onChange={setReason}
          fault={faultOf(error, 'reason')}
          isRequired
        />
      </Form>
    </Dialog>
  )
}
