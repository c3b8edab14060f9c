import { useState } from 'react'
import type { Delivery, NewDelivery } from '../../api/generated.ts'
import { useCommand, useRecord, useSeen } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { EditForm } from '../../kit/EditForm.tsx'
import { faultAt, faultOf, TextField } from '../../kit/Form.tsx'
import { numberIn } from '../../kit/numberIn.ts'
import { tellAndClose } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { CertificatePicker } from '../certificates/CertificatePicker.tsx'

interface DeliveryPanelProps {
  /** The delivery that is corrected; absent for a new one. */
  readonly delivery?: Delivery
  readonly onClose: () => void
}

/** An item as it is typed, with the values that the form does not show. */
interface TypedItem {
  readonly kept: Partial<Delivery['items'][number]>
  readonly millCertificationId: string | null
  readonly heatNumber: string
  readonly pieces: string
  readonly lengthMm: string
}

const newItem: TypedItem = { kept: {}, millCertificationId: null, heatNumber: '', pieces: '', lengthMm: '' }

function typedItem(item: Delivery['items'][number]): TypedItem {
  const { millCertificationId, heatNumber, pieces, lengthMm } = item
  return {
    kept: item,
    millCertificationId,
    heatNumber: heatNumber ?? '',
    pieces: String(pieces),
    lengthMm: lengthMm === null ? '' : String(lengthMm),
  }
}

function sentItem({ kept, millCertificationId, heatNumber, pieces, lengthMm }: TypedItem) {
  return {
    ...kept,
    millCertificationId,
    heatNumber: heatNumber.trim() || null,
    pieces: numberIn(pieces),
    lengthMm: lengthMm.trim() === '' ? null : numberIn(lengthMm),
  }
}

/** Record a delivery, or correct it. Its number and its supplier never change. */
export function DeliveryPanel({ delivery, onClose }: DeliveryPanelProps) {
  return delivery ? <Correction {...{ delivery, onClose }} /> : <Recording onClose={onClose} />
}

function Recording({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId() }
  const { mutate, isPending, error } = useCommand('recordDelivery')
  return (
    <DeliveryForm
      title={t('recordDelivery')}
      {...{ isPending, error, onClose }}
      onSend={(body) => mutate({ params, body }, tellAndClose(t('deliveryRecorded'), onClose))}
    />
  )
}

function Correction({ delivery, onClose }: Required<DeliveryPanelProps>) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), deliveryId: delivery.deliveryId }
  const { mutate, isPending, error, reset } = useCommand('correctDelivery')
  const { seen = delivery, ifMatch, isReading } = useSeen('getDelivery', { params })
  if (isReading) return null
  return (
    <DeliveryForm
      title={t('correctValue', { name: delivery.deliveryNote })}
      delivery={seen}
      {...{ isPending, error, onClose, ifMatch }}
      onRead={reset}
      onSend={(body, ifMatch) =>
        mutate({ params, ifMatch, body }, tellAndClose(t('deliveryRecorded'), onClose))
      }
    />
  )
}

interface DeliveryFormProps extends DeliveryPanelProps {
  readonly title: string
  readonly isPending: boolean
  readonly error: Error | null
  /** The ETag of the delivery that is corrected. */
  readonly ifMatch?: string | undefined
  readonly onSend: (body: NewDelivery, ifMatch?: string) => void
  /** Close the two versions that a refused correction has shown. */
  readonly onRead?: () => void
}

function DeliveryForm(props: DeliveryFormProps) {
  const { title, delivery, isPending, error, ifMatch, onClose, onSend, onRead = onClose } = props
  const { t } = useTexts()
  const companyId = useCompanyId()
  const [head, setHead] = useState({
    deliveryNote: delivery?.deliveryNote ?? '',
    supplier: delivery?.supplier ?? '',
    date: delivery?.date ?? '',
  })
  const field = (name: keyof typeof head) => ({
    value: head[name],
    onChange: (value: string) => setHead({ ...head, [name]: value }),
    fault: faultOf(error, name),
  })
  const [items, setItems] = useState(delivery?.items.map(typedItem) ?? [newItem])
  const send = (etag: string | undefined) =>
    onSend(
      {
        deliveryNote: head.deliveryNote.trim(),
        supplier: head.supplier.trim() || null,
        date: head.date,
        items: items.map(sentItem),
      },
      etag,
    )
  const itemText = ({ heatNumber, pieces, lengthMm }: TypedItem) =>
    [heatNumber, pieces, lengthMm && `${lengthMm} mm`].filter(Boolean).join(' · ')
  const compare = (theirs: Delivery) => [
    { name: t('dispatchDate'), mine: head.date, theirs: theirs.date },
    ...Array.from({ length: Math.max(items.length, theirs.items.length) }, (_, index) => ({
      name: `${t('item')} ${index + 1}`,
      mine: items[index] ? itemText(items[index]) : '',
      theirs: theirs.items[index] ? itemText(typedItem(theirs.items[index])) : '',
    })),
  ]
  return (
    <Dialog title={title} onClose={onClose} shape="panel">
      <EditForm
        id="getDelivery"
        input={{ params: { companyId, deliveryId: delivery?.deliveryId ?? '' } }}
        compare={compare}
        etag={ifMatch}
        onSave={send}
        onCancel={onClose}
        submit={t('save')}
        {...{ isPending, error, onRead }}
      >
        {!delivery && (
          <>
            <TextField label={t('deliveryNote')} {...field('deliveryNote')} isRequired />
            <TextField label={t('supplier')} {...field('supplier')} />
          </>
        )}
        <TextField label={t('dispatchDate')} {...field('date')} type="date" isRequired />
        {items.map((item, index) => (
          <ItemFields
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place
            key={index}
            item={item}
            name={`${t('item')} ${index + 1}`}
            fault={(member) => faultAt(error, `/items/${index}/${member}`)}
            onChange={(changed) => setItems(items.with(index, changed))}
            {...(items.length > 1 && { onRemove: () => setItems(items.toSpliced(index, 1)) })}
          />
        ))}
        <Button onPress={() => setItems([...items, newItem])}>{t('addItem')}</Button>
      </EditForm>
    </Dialog>
  )
}

interface ItemFieldsProps {
  readonly item: TypedItem
  readonly name: string
  readonly fault: (member: keyof Delivery['items'][number]) => ReturnType<typeof faultAt>
  readonly onChange: (item: TypedItem) => void
  readonly onRemove?: () => void
}

function ItemFields({ item, name, fault, onChange, onRemove }: ItemFieldsProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { millCertificationId } = item
  const fieldFault = fault('millCertificationId')
  // The message of the service names members of the API. It no longer holds once a certificate is chosen.
  const isUnnamed = millCertificationId === null && item.heatNumber.trim() === ''
  const certificateFault =
    fieldFault?.code === 'required' ? isUnnamed && t('certificateOrHeat') : fieldFault?.message
  const { data } = useRecord(
    'getCertificate',
    { params: { companyId, millCertificationId: millCertificationId ?? '' } },
    { enabled: millCertificationId !== null, every: false },
  )
  return (
    <fieldset className="fieldGroup">
      <legend>{name}</legend>
      <CertificatePicker
        label={t('certificate')}
        chosen={millCertificationId === null ? undefined : data?.data}
        onChange={(chosen) => onChange({ ...item, millCertificationId: chosen?.millCertificationId ?? null })}
        except=""
      />
      <TextField
        label={t('heat')}
        value={item.heatNumber}
        onChange={(heatNumber) => onChange({ ...item, heatNumber })}
        help={t('heatOfDelivery')}
        fault={fault('heatNumber')?.message ?? (certificateFault || undefined)}
      />
      <TextField
        label={t('piecesOfItem')}
        value={item.pieces}
        onChange={(pieces) => onChange({ ...item, pieces })}
        fault={fault('pieces')?.message}
        isRequired
      />
      <TextField
        label={`${t('length')} (mm)`}
        value={item.lengthMm}
        onChange={(lengthMm) => onChange({ ...item, lengthMm })}
        fault={fault('lengthMm')?.message}
      />
      {onRemove && (
        <Button kind="quiet" label={t('removeItem', { name })} onPress={onRemove}>
          {t('remove')}
        </Button>
      )}
    </fieldset>
  )
}
