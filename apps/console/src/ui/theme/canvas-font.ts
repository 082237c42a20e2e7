/** The font of a canvas. A Chinese font of the system comes before ours, which is then not fetched (platform/i18n.ts). */
export const canvasFont = [
  "'Inter Variable', 'Noto Sans Arabic', system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC'",
  "'Noto Sans SC', 'WenQuanYi Micro Hei', 'Noto Sans SC Variable', sans-serif",
].join(', ')
