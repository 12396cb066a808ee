"""Rows, mappers and services of MyBatis-Plus and of the common mapper of MyBatis."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from written_workspace import analysed

from .mapped_models import columns, tables

FOLDER = "src/main/java/shop"
ROWS = {
    f"{FOLDER}/Dated.java": """\
package shop;
import com.baomidou.mybatisplus.annotation.*;
abstract class Dated { @TableField(fill = FieldFill.INSERT) private Date createdAt; }
""",
    f"{FOLDER}/Clerk.java": """\
package shop;
import com.baomidou.mybatisplus.annotation.*;
@TableName(value = "sys_clerk", autoResultMap = true)
class Clerk extends Dated {
  private static final long serialVersionUID = 1L;
  @TableId(type = IdType.AUTO) private Long clerkId;
  @TableField("login") private String userName;
  private Integer desk;
  @TableField(exist = false) private String note;
  private List<Sale> sales;
}
""",
    f"{FOLDER}/Sale.java": """\
package shop;
import javax.persistence.*;
@Table(name = "sale")
class Sale { @Id private Long id; private Long soldBy; @Transient private String label; }
""",
    f"{FOLDER}/Numbered.java": """\
package shop;
import com.baomidou.mybatisplus.annotation.*;
class Numbered { @TableId private Long id; private Integer version; }
""",
    f"{FOLDER}/Shelf.java": """\
package shop;
import com.baomidou.mybatisplus.annotation.TableName;
@TableName("shelf")
class Shelf extends Numbered { private String label; }
""",
    f"{FOLDER}/Rack.java": """\
package shop;
import com.baomidou.mybatisplus.annotation.TableName;
@TableName("rack")
class Rack extends Shelf { private Integer height; }
""",
    f"{FOLDER}/Order.java": """\
package shop;
import javax.persistence.*;
class Order { @Id private Long id; }
""",
}


def test_tables() -> None:
    """A class with the annotation of a library is a table, with the fields of the classes above it; other classes are none."""
    found = tables(ROWS, "mybatis")
    assert {name: list(columns(table)) for name, table in found.items()} == {
        "sys_clerk": ["clerk_id", "login", "desk", "created_at"],
        "sale": ["id", "sold_by"],
        "shelf": ["id", "label", "version"],
        "rack": ["id", "height", "label", "version"],
    }


CODE = """
//- db/schema.sql
create table plain_box (id int primary key, size int);
//- src/main/java/shop/PlainBox.java
package shop;
class PlainBox { Long id; Integer size; }
//- src/main/java/shop/ClerkMapper.java
package shop;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
interface ClerkMapper extends BaseMapper<Clerk> { }
//- src/main/java/shop/BoxMapper.java
package shop;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
interface BoxMapper extends BaseMapper<PlainBox> { }
//- src/main/java/shop/RackMapper.java
package shop;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
interface RackMapper extends BaseMapper<Rack> { }
//- src/main/java/shop/SaleMapper.java
package shop;
import tk.mybatis.mapper.common.*;
interface SaleMapper extends Mapper<Sale>, MySqlMapper<Sale> { }
//- src/main/java/shop/BaseService.java
package shop;
import com.baomidou.mybatisplus.extension.service.impl.ServiceImpl;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
abstract class BaseService<D extends BaseMapper<E>, E> extends ServiceImpl<D, E> {
  public E getById(String key) { return null; }
}
//- src/main/java/shop/BoxService.java
package shop;
class BoxService extends BaseService<BoxMapper, PlainBox> {
  void keep(PlainBox box) { save(box); }
}
//- src/main/java/shop/ClerkService.java
package shop;
import com.baomidou.mybatisplus.extension.service.IService;
interface ClerkService extends IService<Clerk> { }
//- src/main/java/shop/ClerkServiceImpl.java
package shop;
import com.baomidou.mybatisplus.core.toolkit.Wrappers;
import com.baomidou.mybatisplus.extension.service.impl.ServiceImpl;
class ClerkServiceImpl extends ServiceImpl<ClerkMapper, Clerk> implements ClerkService {
  void rename(Long id, String name) {
    update(Wrappers.<Clerk>lambdaUpdate().set(Clerk::getUserName, name).eq(Clerk::getClerkId, id));
  }
  Object all(int desk) { return this.lambdaQuery().eq(Clerk::getDesk, desk).list(); }
  Clerk one(Long id) { return baseMapper.selectById(id); }
  void drop(Long id) { lambdaUpdate().eq(Clerk::getClerkId, id).remove(); }
}
//- src/main/java/shop/Desk.java
package shop;
class Desk {
  private ClerkService clerks; private BoxService boxes; private BoxMapper mapper; private SaleMapper sales;
  private RackMapper racks;
  void raise(Rack rack) { racks.updateById(rack); }
  Object page() { return clerks.page(null); }
  Object own(String key) { return boxes.getById(key); }
  void pack(PlainBox box) { boxes.saveOrUpdate(box); mapper.deleteById(1); }
  void sell(Sale sale) { sales.insertSelective(sale); sales.updateByPrimaryKey(sale); }
}
"""
WRITTEN = "".join(f"\n//- {path}\n{text}" for path, text in ROWS.items()) + CODE


def test_uses(tmp_path: Path) -> None:
    """Calls of inherited methods use the table of the entity that is an argument of the library's class, through own classes."""
    content = analysed(tmp_path, WRITTEN)
    assert uses_of(content, f"{FOLDER}/ClerkServiceImpl.java") == [
        "ClerkServiceImpl.all reads Clerk select",
        "ClerkServiceImpl.all reads Clerk.desk select",
        "ClerkServiceImpl.drop modifies Clerk delete",
        "ClerkServiceImpl.drop modifies Clerk update",
        "ClerkServiceImpl.drop reads Clerk.clerkId update",
        "ClerkServiceImpl.one reads Clerk select",
        "ClerkServiceImpl.rename modifies Clerk update",
        "ClerkServiceImpl.rename modifies Clerk.userName update",
        "ClerkServiceImpl.rename reads Clerk.clerkId update",
    ]
    assert uses_of(content, f"{FOLDER}/BoxService.java") == ["BoxService.keep modifies plain_box insert"]
    assert uses_of(content, f"{FOLDER}/Desk.java") == [
        "Desk.pack modifies plain_box delete",
        "Desk.pack modifies plain_box merge",
        "Desk.page reads Clerk select",
        "Desk.raise modifies Rack update",
        "Desk.sell modifies Sale insert",
        "Desk.sell modifies Sale update",
    ]
