// Made by studio/catalog.mjs when the page is built.
declare module "catalog" {
  const catalog: {
    categories: string[];
    // Category, source file, techniques: IDs, name, page of the guide.
    simulations: Record<string, [number, string, [string, string, string][]]>;
  };
  export default catalog;
}
