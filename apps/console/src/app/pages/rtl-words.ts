/** Arabic texts, which need no translation: the page shows how they are set. */
export const words = {
  title: 'متجر الميدان',
  other: 'متجر Oslo 1 رقم 24',
  text: 'نص طويل يلتف على أكثر من سطر، وفيه اسم لاتيني مثل Floorcast ورقم مثل 12:30 لترى كيف يُرسم.',
  name: 'الاسم',
  value: 'القيمة',
  empty: 'لا شيء بعد',
  save: 'حفظ',
  cancel: 'إلغاء',
  more: 'المزيد',
  next: 'التالي',
  address: '192.168.1.20',
  key: 'ABCD-EFGH-IJKL-MNOP',
  steps: ['ساعات العمل', 'اختيار الإعلانات', 'اختيار الخلفية', 'فحص القائمة'],
}

/** The names of the components, as the code has them. */
export const parts = {
  buttons: 'Button',
  states: 'StatusBadge, Alert, Progress',
  inputs: 'TextInput, Select',
  choices: 'Checkbox, Radio, Switch, Slider',
  overlays: 'Menu, Popover, Tooltip, Drawer, Modal, Toast',
  menu: 'Menu',
  popover: 'Popover',
  tooltip: 'Tooltip',
  drawer: 'Drawer',
  dialog: 'Modal',
  facts: 'Fields, CopyField, Pager',
  steps: 'StepBar',
  list: 'DataTable',
  table: 'PlainTable',
}
